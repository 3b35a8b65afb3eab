// cel.bind: names a value within one expression (cel-go `ext/bindings.go`).
import type { Expr } from '../../../src/cel/syntax/ast.ts';
import type { ExprFactory } from '../../../src/cel/syntax/expr-factory.ts';
import type { Macro } from '../../../src/cel/syntax/macro.ts';
import { isNamespace } from './in-namespace.ts';

export const BIND_MACRO: Macro = { name: 'bind', argCount: 3, receiverStyle: true, expand: expandBind };

/** A fold over an empty list, with the variable as accumulator. */
function expandBind(factory: ExprFactory, target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
  if (!isNamespace(target, 'cel')) return undefined;
  const [variable, value, result] = args as [Expr, Expr, Expr];
  if (variable.kind !== 'ident') return factory.error(variable, 'cel.bind() variable names must be simple identifiers');
  return factory.comprehension({
    iterRange: factory.list(),
    iterVar: '#unused',
    accuVar: variable.name,
    accuInit: value,
    loopCondition: factory.literal(false),
    loopStep: factory.ident(variable.name),
    result,
  });
}
