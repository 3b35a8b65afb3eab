// Recognizes the comprehensions that `all`, `exists`, `exists_one`, `map`, `filter` and the two-variable macros expand to.
import type { ComprehensionExpr, Expr } from '../syntax/ast.ts';
import { MAP_INSERT } from '../syntax/two-variable-macros.ts';

export type MacroShape =
  | { readonly kind: 'quantifier'; readonly decisive: boolean; readonly predicate: Expr }
  | { readonly kind: 'exists-one'; readonly predicate: Expr }
  | Collection;

export interface Collection {
  readonly kind: 'collect';
  /** Where the transformed element is stored: at the end of a list, under its own key, or, if it is a map, entry by entry. */
  readonly into: 'list' | 'same-keys' | 'entries';
  readonly predicate: Expr | undefined;
  readonly transform: Expr;
}

/** Undefined for other comprehensions. Two-variable comprehensions have the same shapes. */
export function macroShapeOf(fold: ComprehensionExpr): MacroShape | undefined {
  if (fold.iterVar === fold.accuVar) return undefined;
  const { accuInit, accuVar } = fold;
  if (accuInit.kind === 'literal' && typeof accuInit.value === 'boolean') return quantifier(fold, accuInit.value);
  if (!isLiteral(fold.loopCondition, true)) return undefined;
  if (isLiteral(accuInit, 0n)) return existsOne(fold);
  if (!isIdent(fold.result, accuVar)) return undefined;
  if (accuInit.kind === 'list' && accuInit.elements.length === 0) return collect(fold);
  return accuInit.kind === 'map' && accuInit.entries.length === 0 ? collectEntries(fold) : undefined;
}

function quantifier(
  { accuVar, loopCondition, loopStep, result }: ComprehensionExpr,
  initial: boolean,
): MacroShape | undefined {
  const [guarded] = argsOf(loopCondition, '@not_strictly_false', 1);
  const [tested] = initial ? [guarded] : argsOf(guarded, '!_', 1);
  const [accumulated, predicate] = argsOf(loopStep, initial ? '_&&_' : '_||_', 2);
  if (![tested, accumulated, result].every((expr) => isIdent(expr, accuVar)) || predicate === undefined)
    return undefined;
  return { kind: 'quantifier', decisive: !initial, predicate };
}

function existsOne({ accuVar, loopStep, result }: ComprehensionExpr): MacroShape | undefined {
  const [predicate, counted, unchanged] = argsOf(loopStep, '_?_:_', 3);
  const [count, one] = argsOf(counted, '_+_', 2);
  const [total, wanted] = argsOf(result, '_==_', 2);
  if (![unchanged, count, total].every((expr) => isIdent(expr, accuVar))) return undefined;
  if (!isLiteral(one, 1n) || !isLiteral(wanted, 1n) || predicate === undefined) return undefined;
  return { kind: 'exists-one', predicate };
}

function collect(fold: ComprehensionExpr): MacroShape | undefined {
  const { predicate, step } = filteredStep(fold);
  const [accumulated, list] = argsOf(step, '_+_', 2);
  if (!isIdent(accumulated, fold.accuVar) || list?.kind !== 'list') return undefined;
  const [transform] = list.elements;
  if (transform === undefined || list.elements.length !== 1 || list.optionalIndices.length > 0) return undefined;
  return { kind: 'collect', into: 'list', predicate, transform };
}

function collectEntries(fold: ComprehensionExpr): MacroShape | undefined {
  const { predicate, step } = filteredStep(fold);
  const [accumulated, key, value] = argsOf(step, MAP_INSERT, 3);
  const [target, entries] = argsOf(step, MAP_INSERT, 2);
  if (!isIdent(accumulated ?? target, fold.accuVar)) return undefined;
  if (entries !== undefined) return { kind: 'collect', into: 'entries', predicate, transform: entries };
  if (value === undefined || !isIdent(key, fold.iterVar)) return undefined;
  return { kind: 'collect', into: 'same-keys', predicate, transform: value };
}

/** The step for an element and its predicate. */
function filteredStep({ accuVar, loopStep }: ComprehensionExpr): {
  predicate: Expr | undefined;
  step: Expr | undefined;
} {
  const [predicate, chosen, unchanged] = argsOf(loopStep, '_?_:_', 3);
  if (predicate === undefined) return { predicate, step: loopStep };
  return { predicate, step: isIdent(unchanged, accuVar) ? chosen : undefined };
}

/** The arguments if the expression is a call of this global function; otherwise empty. */
function argsOf(expr: Expr | undefined, functionName: string, count: number): readonly Expr[] {
  if (expr?.kind !== 'call' || expr.function !== functionName || expr.target !== undefined) return [];
  return expr.args.length === count ? expr.args : [];
}

function isIdent(expr: Expr | undefined, name: string): boolean {
  return expr?.kind === 'ident' && expr.name === name;
}

function isLiteral(expr: Expr | undefined, value: boolean | bigint): boolean {
  return expr?.kind === 'literal' && expr.value === value;
}
