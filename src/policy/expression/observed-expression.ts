// An expression run once more with everything recorded, for those who want to see its parts.
import type { ObservedExpression, TracedText } from '../explanation/explanation.ts';
import type { CompiledExpression } from './compiled-expression.ts';
import type { RequestActivation } from './request-activation.ts';
import type { CompiledVariables } from './variables.ts';

/** Undefined for an expression that does not compile. `activation` has to record, too; one may serve the expressions of one round. */
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
