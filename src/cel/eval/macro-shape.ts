// Recognises the comprehensions that `all`, `exists`, `exists_one`, `map` and `filter` expand to.
import type { ComprehensionExpr, Expr } from '../syntax/ast.ts';

export type MacroShape =
  | { readonly kind: 'quantifier'; readonly decisive: boolean; readonly predicate: Expr }
  | { readonly kind: 'exists-one'; readonly predicate: Expr }
  | { readonly kind: 'collect'; readonly predicate: Expr | undefined; readonly transform: Expr };

/** Undefined for everything else. Comprehensions over two variables have the same shapes. */
export function macroShapeOf(fold: ComprehensionExpr): MacroShape | undefined {
  if (fold.iterVar === fold.accuVar) return undefined;
  const { accuInit, accuVar } = fold;
  if (accuInit.kind === 'literal' && typeof accuInit.value === 'boolean') return quantifier(fold, accuInit.value);
  if (!isLiteral(fold.loopCondition, true)) return undefined;
  if (isLiteral(accuInit, 0n)) return existsOne(fold);
  if (accuInit.kind !== 'list' || accuInit.elements.length > 0 || !isIdent(fold.result, accuVar)) return undefined;
  return collect(fold);
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

function collect({ accuVar, loopStep }: ComprehensionExpr): MacroShape | undefined {
  const [predicate, chosen, unchanged] = argsOf(loopStep, '_?_:_', 3);
  if (predicate !== undefined && !isIdent(unchanged, accuVar)) return undefined;
  const [accumulated, list] = argsOf(predicate === undefined ? loopStep : chosen, '_+_', 2);
  if (!isIdent(accumulated, accuVar) || list?.kind !== 'list') return undefined;
  const [transform] = list.elements;
  if (transform === undefined || list.elements.length !== 1 || list.optionalIndices.length > 0) return undefined;
  return { kind: 'collect', predicate, transform };
}

/** The arguments of a call of that global function; none if the expression is something else. */
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
