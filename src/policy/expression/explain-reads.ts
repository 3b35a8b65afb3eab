// Finds the fields that decided an expression's result by evaluating it again with tracing.
import { explain } from '../../cel/eval/explain.ts';
import type { Program, ProgramResult } from '../../cel/eval/program.ts';
import { Provenance } from '../../cel/eval/provenance.ts';
import type { Read } from '../../cel/value/trace.ts';
import type { Value } from '../../cel/value/value.ts';
import { BudgetSpent } from '../../kubernetes/request/run-budget.ts';
import type { CompiledExpression } from './compiled-expression.ts';
import { type EvaluationSubject, type Phase, RequestActivation } from './request-activation.ts';
import { isUnfinished } from './unfinished.ts';
import type { CompiledVariables } from './variables.ts';

/** Best candidate first. Empty if the expression cannot run, reads nothing, or exceeds the work limit. */
export function explainReads(
  { program, ast }: CompiledExpression,
  subject: EvaluationSubject,
  phase: Phase,
  variables: CompiledVariables,
): readonly Read[] {
  if (program === undefined || ast === undefined) return [];
  const activation = new RequestActivation(subject, phase, variables, true);
  const observed = observe(program, activation);
  if (observed?.trace === undefined || isUnfinished(observed.value)) return [];
  const { trace } = observed;
  const roots = ROOTS.map((name): [string, Value] => [name, activation.resolve(name) ?? null]);
  return explain({ ast, trace, variableAst: (name) => variables.get(name)?.ast }, new Provenance(new Map(roots)));
}

/** Undefined if the run's budget is spent. */
function observe(program: Program, activation: RequestActivation): ProgramResult | undefined {
  try {
    const observed = program.evaluate(activation, { trace: true });
    activation.spend(observed.cost);
    return observed;
  } catch (reason) {
    if (reason instanceof BudgetSpent) return undefined;
    throw reason;
  }
}

const ROOTS: readonly string[] = ['object', 'oldObject', 'params', 'request', 'namespaceObject'];
