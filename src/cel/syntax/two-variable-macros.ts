// Comprehensions over index and element, or key and value (cel-go `ext/comprehensions.go`).
import type { Expr } from './ast.ts';
import type { ExprFactory } from './expr-factory.ts';
import type { Macro } from './macro.ts';
import { fold, type IterationVariables, overwritesAccumulator, quantifiers, receiverMacro } from './standard-macros.ts';

/** Adds an entry, or merges a map, into the map being built. A duplicate key is an error. */
export const MAP_INSERT = 'cel.@mapInsert';

const { all, exists, existsOne } = quantifiers(iterationVariables);

export const TWO_VARIABLE_MACROS: readonly Macro[] = [
  receiverMacro('all', 3, all),
  receiverMacro('exists', 3, exists),
  receiverMacro('existsOne', 3, existsOne),
  receiverMacro('exists_one', 3, existsOne),
  receiverMacro('transformList', 3, expandTransformList),
  receiverMacro('transformList', 4, expandTransformList),
  receiverMacro('transformMap', 3, expandTransformMap),
  receiverMacro('transformMap', 4, expandTransformMap),
  receiverMacro('transformMapEntry', 3, expandTransformMapEntry),
  receiverMacro('transformMapEntry', 4, expandTransformMapEntry),
];

function expandTransformList(factory: ExprFactory, target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
  const variables = iterationVariables(factory, args);
  if (variables === undefined) return undefined;
  const appended = factory.call('_+_', factory.accumulator(), factory.list(args.at(-1) as Expr));
  return gathered(factory, target, variables, args, appended, () => factory.list());
}

function expandTransformMap(factory: ExprFactory, target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
  const variables = iterationVariables(factory, args);
  if (variables === undefined) return undefined;
  const transform = args.at(-1) as Expr;
  const inserted = factory.call(MAP_INSERT, factory.accumulator(), factory.ident(variables.iterVar), transform);
  return gathered(factory, target, variables, args, inserted, () => factory.map());
}

function expandTransformMapEntry(
  factory: ExprFactory,
  target: Expr | undefined,
  args: readonly Expr[],
): Expr | undefined {
  const variables = iterationVariables(factory, args);
  if (variables === undefined) return undefined;
  const inserted = factory.call(MAP_INSERT, factory.accumulator(), args.at(-1) as Expr);
  return gathered(factory, target, variables, args, inserted, () => factory.map());
}

/** With four arguments, the third is a predicate; elements that do not satisfy it are skipped. */
function gathered(
  factory: ExprFactory,
  target: Expr | undefined,
  variables: IterationVariables,
  args: readonly Expr[],
  step: Expr,
  empty: () => Expr,
): Expr {
  const loopStep = args.length === 4 ? factory.call('_?_:_', args[2] as Expr, step, factory.accumulator()) : step;
  return fold(factory, target, variables, { accuInit: empty(), loopCondition: factory.literal(true), loopStep });
}

function iterationVariables(factory: ExprFactory, args: readonly Expr[]): Required<IterationVariables> | undefined {
  const [first, second] = args as [Expr, Expr];
  if (first.kind !== 'ident') return factory.error(first, 'argument must be a simple name');
  if (second.kind !== 'ident') return factory.error(second, 'argument must be a simple name');
  if (first.name === second.name) return factory.error(second, `duplicate variable name: ${first.name}`);
  for (const variable of [first, second]) {
    if (overwritesAccumulator(factory, variable.name)) {
      return factory.error(variable, 'iteration variable overwrites accumulator variable');
    }
  }
  return { iterVar: first.name, iterVar2: second.name };
}
