// The standard macros: has, all, exists, exists_one, map, filter (cel-go `parser/macro.go`).
import type { Expr } from './ast.ts';
import type { ExprFactory } from './expr-factory.ts';
import type { Macro } from './macro.ts';

const LEGACY_ACCUMULATOR_NAME = '__result__';

function receiverMacro(name: string, argCount: number, expand: Macro['expand']): Macro {
  return { name, argCount, receiverStyle: true, expand };
}

export const STANDARD_MACROS: readonly Macro[] = [
  { name: 'has', argCount: 1, receiverStyle: false, expand: expandHas },
  receiverMacro('all', 2, expandAll),
  receiverMacro('exists', 2, expandExists),
  receiverMacro('exists_one', 2, expandExistsOne),
  receiverMacro('map', 2, expandMap),
  receiverMacro('map', 3, expandMap),
  receiverMacro('filter', 2, expandFilter),
];

function expandHas(factory: ExprFactory, _target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
  const field = args[0] as Expr;
  if (field.kind !== 'select') return factory.error(field, 'invalid argument to has() macro');
  return factory.presenceTest(field.operand, field.field);
}

function expandAll(factory: ExprFactory, target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
  const iterVar = iterationVariable(factory, args[0] as Expr, 'argument must be a simple name');
  if (iterVar === undefined) return undefined;
  return factory.comprehension({
    iterRange: target as Expr,
    iterVar,
    accuVar: factory.accumulatorName,
    accuInit: factory.literal(true),
    loopCondition: factory.call('@not_strictly_false', factory.accumulator()),
    loopStep: factory.call('_&&_', factory.accumulator(), args[1] as Expr),
    result: factory.accumulator(),
  });
}

function expandExists(factory: ExprFactory, target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
  const iterVar = iterationVariable(factory, args[0] as Expr, 'argument must be a simple name');
  if (iterVar === undefined) return undefined;
  return factory.comprehension({
    iterRange: target as Expr,
    iterVar,
    accuVar: factory.accumulatorName,
    accuInit: factory.literal(false),
    loopCondition: factory.call('@not_strictly_false', factory.call('!_', factory.accumulator())),
    loopStep: factory.call('_||_', factory.accumulator(), args[1] as Expr),
    result: factory.accumulator(),
  });
}

function expandExistsOne(factory: ExprFactory, target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
  const iterVar = iterationVariable(factory, args[0] as Expr, 'argument must be a simple name');
  if (iterVar === undefined) return undefined;
  return factory.comprehension({
    iterRange: target as Expr,
    iterVar,
    accuVar: factory.accumulatorName,
    accuInit: factory.literal(0n),
    loopCondition: factory.literal(true),
    loopStep: factory.call(
      '_?_:_',
      args[1] as Expr,
      factory.call('_+_', factory.accumulator(), factory.literal(1n)),
      factory.accumulator(),
    ),
    result: factory.call('_==_', factory.accumulator(), factory.literal(1n)),
  });
}

/** `list.map(x, transform)` and `list.map(x, predicate, transform)`. `sortBy` uses it too. */
export function expandMap(factory: ExprFactory, target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
  const iterVar = iterationVariable(factory, args[0] as Expr, 'argument is not an identifier');
  if (iterVar === undefined) return undefined;
  const predicate = args.length === 3 ? args[1] : undefined;
  const transform = args.at(-1) as Expr;
  const accuInit = factory.list();
  const loopCondition = factory.literal(true);
  const appended = factory.call('_+_', factory.accumulator(), factory.list(transform));
  const loopStep = predicate ? factory.call('_?_:_', predicate, appended, factory.accumulator()) : appended;
  return factory.comprehension({
    iterRange: target as Expr,
    iterVar,
    accuVar: factory.accumulatorName,
    accuInit,
    loopCondition,
    loopStep,
    result: factory.accumulator(),
  });
}

function expandFilter(factory: ExprFactory, target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
  const variable = args[0] as Expr;
  const iterVar = iterationVariable(factory, variable, 'argument is not an identifier');
  if (iterVar === undefined) return undefined;
  const accuInit = factory.list();
  const loopCondition = factory.literal(true);
  const appended = factory.call('_+_', factory.accumulator(), factory.list(variable));
  return factory.comprehension({
    iterRange: target as Expr,
    iterVar,
    accuVar: factory.accumulatorName,
    accuInit,
    loopCondition,
    loopStep: factory.call('_?_:_', args[1] as Expr, appended, factory.accumulator()),
    result: factory.accumulator(),
  });
}

function iterationVariable(factory: ExprFactory, variable: Expr, notAName: string): string | undefined {
  if (variable.kind !== 'ident') return factory.error(variable, notAName);
  if (overwritesAccumulator(factory, variable.name)) {
    return factory.error(variable, 'iteration variable overwrites accumulator variable');
  }
  return variable.name;
}

export function overwritesAccumulator(factory: ExprFactory, name: string): boolean {
  return name === factory.accumulatorName || name === LEGACY_ACCUMULATOR_NAME;
}
