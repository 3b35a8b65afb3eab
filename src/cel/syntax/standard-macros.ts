// The standard macros: has, all, exists, exists_one, map, filter (cel-go `parser/macro.go`).
import type { Expr } from './ast.ts';
import type { ComprehensionParts, ExprFactory } from './expr-factory.ts';
import type { Macro } from './macro.ts';

const LEGACY_ACCUMULATOR_NAME = '__result__';

export function receiverMacro(name: string, argCount: number, expand: Macro['expand']): Macro {
  return { name, argCount, receiverStyle: true, expand };
}

export interface IterationVariables {
  readonly iterVar: string;
  readonly iterVar2?: string;
}

type VariablesOf = (factory: ExprFactory, args: readonly Expr[]) => IterationVariables | undefined;

/** `result` defaults to what was accumulated. Nodes take ids as they are made: in the order of the fields. */
type FoldParts = Pick<ComprehensionParts, 'accuInit' | 'loopCondition' | 'loopStep'> & { readonly result?: Expr };

export function fold(
  factory: ExprFactory,
  iterRange: Expr | undefined,
  variables: IterationVariables,
  { result = factory.accumulator(), ...parts }: FoldParts,
): Expr {
  const accuVar = factory.accumulatorName;
  return factory.comprehension({ iterRange: iterRange as Expr, ...variables, accuVar, ...parts, result });
}

/** The macros that count the elements which fulfil the last argument. */
export function quantifiers(
  variablesOf: VariablesOf,
): Readonly<Record<'all' | 'exists' | 'existsOne', Macro['expand']>> {
  const quantifier =
    (partsOf: (factory: ExprFactory, condition: Expr) => FoldParts): Macro['expand'] =>
    (factory, target, args) => {
      const variables = variablesOf(factory, args);
      return variables && fold(factory, target, variables, partsOf(factory, args.at(-1) as Expr));
    };
  return {
    all: quantifier((factory, condition) => ({
      accuInit: factory.literal(true),
      loopCondition: factory.call('@not_strictly_false', factory.accumulator()),
      loopStep: factory.call('_&&_', factory.accumulator(), condition),
    })),
    exists: quantifier((factory, condition) => ({
      accuInit: factory.literal(false),
      loopCondition: factory.call('@not_strictly_false', factory.call('!_', factory.accumulator())),
      loopStep: factory.call('_||_', factory.accumulator(), condition),
    })),
    existsOne: quantifier((factory, condition) => ({
      accuInit: factory.literal(0n),
      loopCondition: factory.literal(true),
      loopStep: factory.call(
        '_?_:_',
        condition,
        factory.call('_+_', factory.accumulator(), factory.literal(1n)),
        factory.accumulator(),
      ),
      result: factory.call('_==_', factory.accumulator(), factory.literal(1n)),
    })),
  };
}

const { all, exists, existsOne } = quantifiers((factory, args) =>
  iterationVariable(factory, args[0] as Expr, 'argument must be a simple name'),
);

export const STANDARD_MACROS: readonly Macro[] = [
  { name: 'has', argCount: 1, receiverStyle: false, expand: expandHas },
  receiverMacro('all', 2, all),
  receiverMacro('exists', 2, exists),
  receiverMacro('exists_one', 2, existsOne),
  receiverMacro('map', 2, expandMap),
  receiverMacro('map', 3, expandMap),
  receiverMacro('filter', 2, expandFilter),
];

function expandHas(factory: ExprFactory, _target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
  const field = args[0] as Expr;
  if (field.kind !== 'select') return factory.error(field, 'invalid argument to has() macro');
  return factory.presenceTest(field.operand, field.field);
}

/** `list.map(x, transform)` and `list.map(x, predicate, transform)`. `sortBy` uses it too. */
export function expandMap(factory: ExprFactory, target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
  const predicate = args.length === 3 ? args[1] : undefined;
  return expandList(factory, target, args, predicate, args.at(-1) as Expr);
}

function expandFilter(factory: ExprFactory, target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
  return expandList(factory, target, args, args[1], args[0] as Expr);
}

function expandList(
  factory: ExprFactory,
  target: Expr | undefined,
  [variable]: readonly Expr[],
  predicate: Expr | undefined,
  element: Expr,
): Expr | undefined {
  const variables = iterationVariable(factory, variable as Expr, 'argument is not an identifier');
  if (variables === undefined) return undefined;
  const [accuInit, loopCondition] = [factory.list(), factory.literal(true)];
  const appended = factory.call('_+_', factory.accumulator(), factory.list(element));
  const loopStep = predicate ? factory.call('_?_:_', predicate, appended, factory.accumulator()) : appended;
  return fold(factory, target, variables, { accuInit, loopCondition, loopStep });
}

function iterationVariable(factory: ExprFactory, variable: Expr, notAName: string): IterationVariables | undefined {
  if (variable.kind !== 'ident') return factory.error(variable, notAName);
  if (overwritesAccumulator(factory, variable.name)) {
    return factory.error(variable, 'iteration variable overwrites accumulator variable');
  }
  return { iterVar: variable.name };
}

export function overwritesAccumulator(factory: ExprFactory, name: string): boolean {
  return name === factory.accumulatorName || name === LEGACY_ACCUMULATOR_NAME;
}
