// optMap and optFlatMap: transform the value of an optional if it has one (cel-go `cel/library.go`).
import type { Expr } from './ast.ts';
import type { ExprFactory } from './expr-factory.ts';
import type { Macro } from './macro.ts';

export const OPTIONAL_MACROS: readonly Macro[] = [
  { name: 'optMap', argCount: 2, receiverStyle: true, expand: expandOptMap },
  { name: 'optFlatMap', argCount: 2, receiverStyle: true, expand: expandOptFlatMap },
];

/** `target.hasValue() ? optional.of(<bind>) : optional.none()` */
function expandOptMap(factory: ExprFactory, target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
  const [variable, transform] = args as [Expr, Expr];
  if (variable.kind !== 'ident') {
    return factory.error(variable, 'optMap() variable name must be a simple identifier');
  }
  return factory.call(
    '_?_:_',
    factory.memberCall('hasValue', target as Expr),
    factory.call('optional.of', bindValue(factory, target as Expr, variable.name, transform)),
    factory.call('optional.none'),
  );
}

/** `target.hasValue() ? <bind> : optional.none()` */
function expandOptFlatMap(factory: ExprFactory, target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
  const [variable, transform] = args as [Expr, Expr];
  if (variable.kind !== 'ident') {
    return factory.error(variable, 'optFlatMap() variable name must be a simple identifier');
  }
  return factory.call(
    '_?_:_',
    factory.memberCall('hasValue', target as Expr),
    bindValue(factory, target as Expr, variable.name, transform),
    factory.call('optional.none'),
  );
}

/** A fold over an empty list whose accumulator is the variable: evaluates `transform` with `name` bound to the optional's value. */
function bindValue(factory: ExprFactory, target: Expr, name: string, transform: Expr): Expr {
  return factory.comprehension({
    iterRange: factory.list(),
    iterVar: '#unused',
    accuVar: name,
    accuInit: factory.memberCall('value', factory.copy(target)),
    loopCondition: factory.literal(false),
    loopStep: factory.ident(name),
    result: transform,
  });
}
