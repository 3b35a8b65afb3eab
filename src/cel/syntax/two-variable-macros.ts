// Comprehensions over index and element, or key and value (cel-go `ext/comprehensions.go`).
import type { Expr } from './ast.ts';
import type { ExprFactory } from './expr-factory.ts';
import type { Macro } from './macro.ts';
import { overwritesAccumulator } from './standard-macros.ts';

/** Adds an entry, or merges a map, into the map being built. A duplicate key is an error. */
export const MAP_INSERT = 'cel.@mapInsert';

function twoVariableMacro(name: string, argCount: number, expand: Macro['expand']): Macro {
  return { name, argCount, receiverStyle: true, expand };
}

export const TWO_VARIABLE_MACROS: readonly Macro[] = [
  twoVariableMacro('all', 3, expandAll),
  twoVariableMacro('exists', 3, expandExists),
  twoVariableMacro('existsOne', 3, expandExistsOne),
  twoVariableMacro('exists_one', 3, expandExistsOne),
  twoVariableMacro('transformList', 3, expandTransformList),
  twoVariableMacro('transformList', 4, expandTransformList),
  twoVariableMacro('transformMap', 3, expandTransformMap),
  twoVariableMacro('transformMap', 4, expandTransformMap),
  twoVariableMacro('transformMapEntry', 3, expandTransformMapEntry),
  twoVariableMacro('transformMapEntry', 4, expandTransformMapEntry),
];

function expandAll(factory: ExprFactory, target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
  const variables = iterationVariables(factory, args);
  if (variables === undefined) return undefined;
  return factory.comprehension({
    iterRange: target as Expr,
    ...variables,
    accuVar: factory.accumulatorName,
    accuInit: factory.literal(true),
    loopCondition: factory.call('@not_strictly_false', factory.accumulator()),
    loopStep: factory.call('_&&_', factory.accumulator(), args[2] as Expr),
    result: factory.accumulator(),
  });
}

function expandExists(factory: ExprFactory, target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
  const variables = iterationVariables(factory, args);
  if (variables === undefined) return undefined;
  return factory.comprehension({
    iterRange: target as Expr,
    ...variables,
    accuVar: factory.accumulatorName,
    accuInit: factory.literal(false),
    loopCondition: factory.call('@not_strictly_false', factory.call('!_', factory.accumulator())),
    loopStep: factory.call('_||_', factory.accumulator(), args[2] as Expr),
    result: factory.accumulator(),
  });
}

function expandExistsOne(factory: ExprFactory, target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
  const variables = iterationVariables(factory, args);
  if (variables === undefined) return undefined;
  return factory.comprehension({
    iterRange: target as Expr,
    ...variables,
    accuVar: factory.accumulatorName,
    accuInit: factory.literal(0n),
    loopCondition: factory.literal(true),
    loopStep: factory.call(
      '_?_:_',
      args[2] as Expr,
      factory.call('_+_', factory.accumulator(), factory.literal(1n)),
      factory.accumulator(),
    ),
    result: factory.call('_==_', factory.accumulator(), factory.literal(1n)),
  });
}

function expandTransformList(factory: ExprFactory, target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
  const variables = iterationVariables(factory, args);
  if (variables === undefined) return undefined;
  const transform = args.at(-1) as Expr;
  const appended = factory.call('_+_', factory.accumulator(), factory.list(transform));
  const loopStep = filtered(factory, args, appended);
  return factory.comprehension({
    iterRange: target as Expr,
    ...variables,
    accuVar: factory.accumulatorName,
    accuInit: factory.list(),
    loopCondition: factory.literal(true),
    loopStep,
    result: factory.accumulator(),
  });
}

function expandTransformMap(factory: ExprFactory, target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
  const variables = iterationVariables(factory, args);
  if (variables === undefined) return undefined;
  const transform = args.at(-1) as Expr;
  const inserted = factory.call(MAP_INSERT, factory.accumulator(), factory.ident(variables.iterVar), transform);
  return mapFold(factory, target as Expr, variables, filtered(factory, args, inserted));
}

function expandTransformMapEntry(
  factory: ExprFactory,
  target: Expr | undefined,
  args: readonly Expr[],
): Expr | undefined {
  const variables = iterationVariables(factory, args);
  if (variables === undefined) return undefined;
  const inserted = factory.call(MAP_INSERT, factory.accumulator(), args.at(-1) as Expr);
  return mapFold(factory, target as Expr, variables, filtered(factory, args, inserted));
}

function mapFold(factory: ExprFactory, iterRange: Expr, variables: IterationVariables, loopStep: Expr): Expr {
  return factory.comprehension({
    iterRange,
    ...variables,
    accuVar: factory.accumulatorName,
    accuInit: factory.map(),
    loopCondition: factory.literal(true),
    loopStep,
    result: factory.accumulator(),
  });
}

/** With four arguments, the third is a predicate; elements that do not satisfy it are skipped. */
function filtered(factory: ExprFactory, args: readonly Expr[], step: Expr): Expr {
  return args.length === 4 ? factory.call('_?_:_', args[2] as Expr, step, factory.accumulator()) : step;
}

interface IterationVariables {
  readonly iterVar: string;
  readonly iterVar2: string;
}

function iterationVariables(factory: ExprFactory, args: readonly Expr[]): IterationVariables | undefined {
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
