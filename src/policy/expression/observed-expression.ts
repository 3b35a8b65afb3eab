// Evaluates an expression again with tracing, to show its parts.
import type { ObservedExpression, TracedText } from '../explanation/explanation.ts';
import type { CompiledExpression } from './compiled-expression.ts';
import type { RequestActivation } from './request-activation.ts';
import type { CompiledVariables } from './variables.ts';

/** Undefined if the expression does not compile. `activation` must trace, too; one can serve all expressions of a round. */
export function observeExpression(
  compiled: CompiledExpression | undefined,
  activation: RequestActivation,
  variables: CompiledVariables,
): ObservedExpression | undefined {
  if (compiled?.program === undefined || compiled.ast === undefined) return undefined;
  const { trace, cost } = compiled.program.evaluate(activation, { trace: true });
  if (trace === undefined) return undefined;
  const variable = (name: string): TracedText | undefined => tracedText(variables.get(name));
  const total = cost + activation.takeVariablesCost();
  return { expression: compiled.expression, ast: compiled.ast, trace, cost: total, variable };
}

function tracedText(compiled: CompiledExpression | undefined): TracedText | undefined {
  return compiled?.ast && { expression: compiled.expression, ast: compiled.ast };
}
