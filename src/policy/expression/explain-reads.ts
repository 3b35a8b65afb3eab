// Which fields decided an expression's result: runs it once more under observation.
import { explain } from '../../cel/eval/explain.ts';
import { Provenance } from '../../cel/eval/provenance.ts';
import type { Read } from '../../cel/trace.ts';
import type { Value } from '../../cel/value/value.ts';
import type { CompiledExpression } from './compiled-expression.ts';
import { type EvaluationSubject, type Phase, RequestActivation } from './request-activation.ts';
import type { CompiledVariables } from './variables.ts';

/** Best candidate first; empty where the expression does not run or reads nothing. */
export function explainReads(
  { program, ast }: CompiledExpression,
  subject: EvaluationSubject,
  phase: Phase,
  variables: CompiledVariables,
): readonly Read[] {
  if (program === undefined || ast === undefined) return [];
  const activation = new RequestActivation(subject, phase, variables, true);
  const { trace } = program.evaluate(activation, { trace: true });
  if (trace === undefined) return [];
  const roots = ROOTS.map((name): [string, Value] => [name, activation.resolve(name) ?? null]);
  return explain({ ast, trace, variableAst: (name) => variables.get(name)?.ast }, new Provenance(new Map(roots)));
}

const ROOTS: readonly string[] = ['object', 'oldObject', 'params', 'request', 'namespaceObject'];
