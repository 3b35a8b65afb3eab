// Which fields decided an expression's result: runs it once more under observation.
import { explain } from '../../cel/eval/explain.ts';
import { Provenance } from '../../cel/eval/provenance.ts';
import type { Read } from '../../cel/trace.ts';
import type { CompiledExpression } from './compiled-expression.ts';
import { type ActivationInput, RequestActivation } from './request-activation.ts';
import type { CompiledVariables } from './variables.ts';

/** Best candidate first; empty where the expression does not run or reads nothing. */
export function explainReads(
  { program, ast }: CompiledExpression,
  input: ActivationInput,
  variables: CompiledVariables,
): readonly Read[] {
  if (program === undefined || ast === undefined) return [];
  const activation = new RequestActivation(input, variables, true);
  const { trace } = program.evaluate(activation, { trace: true });
  if (trace === undefined) return [];
  const { object, oldObject, params, request, namespaceObject } = input;
  const provenance = new Provenance(new Map(Object.entries({ object, oldObject, params, request, namespaceObject })));
  return explain({ ast, trace, variableAst: (name) => variables.get(name)?.ast }, provenance);
}
