// Expressions evaluated in order under one budget (apiserver `plugin/cel/condition.go`, `activation.go: Evaluate`).
import { WORK_EXCEEDED } from '../../cel/eval/frame.ts';
import { ErrorValue, type Value } from '../../cel/value/value.ts';
import type { CompiledExpression } from './compiled-expression.ts';
import type { RequestActivation } from './request-activation.ts';
import { isStopped } from './unfinished.ts';

/** `RuntimeCELCostBudget`: validations and message expressions of one policy, binding and param share it. */
export const RUNTIME_COST_BUDGET = 10_000_000;
/** `RuntimeCELCostBudgetMatchConditions`. */
export const MATCH_CONDITIONS_COST_BUDGET = 2_500_000;

export const OUT_OF_BUDGET =
  'validation failed due to running out of cost budget, no further validation rules will be run';

/** `undefined` where the policy has no expression, e.g. a validation without messageExpression. */
export type ExpressionOutcome =
  | { readonly value: Value }
  /** `isUnfinished`: the server would have gone on, to an answer that is not known here. `isStopped`: nothing that it read decided it. */
  | { readonly error: string; readonly isUnfinished?: true; readonly isStopped?: true }
  | undefined;

export type EvaluationRound =
  | {
      readonly outcomes: readonly ExpressionOutcome[];
      readonly remainingBudget: number;
      /** Every one has an expression, and it is true. */
      readonly allTrue: boolean;
    }
  | { readonly outOfBudget: string };

const TRUE: ExpressionOutcome = { value: true };

export function evaluateExpressions(
  expressions: readonly (CompiledExpression | undefined)[],
  activation: RequestActivation,
  budget: number,
): EvaluationRound {
  // Of its size from the start: an array that grows takes room for many.
  const outcomes = new Array<ExpressionOutcome>(expressions.length);
  let remainingBudget = budget;
  let allTrue = true;
  // An iterator for each of millions of rounds is most of what they allocate.
  for (let index = 0; index < expressions.length; index++) {
    const compiled = expressions[index];
    if (compiled === undefined) {
      allTrue = false;
      outcomes[index] = undefined;
      continue;
    }
    if (compiled.program === undefined) {
      allTrue = false;
      outcomes[index] = { error: `compilation error: ${compiled.error}` };
      continue;
    }
    const { value, cost } = compiled.program.evaluate(activation);
    activation.spend(cost);
    activation.observe(value);
    const isUnfinished = activation.takeUnfinished();
    remainingBudget -= activation.takeVariablesCost();
    if (remainingBudget < 0) return { outOfBudget: OUT_OF_BUDGET };
    remainingBudget -= cost;
    if (remainingBudget < 0) return { outOfBudget: OUT_OF_BUDGET };
    if (isUnfinished) {
      allTrue = false;
      outcomes[index] = {
        error: `expression '${compiled.expression}' resulted in error: ${WORK_EXCEEDED}`,
        isUnfinished,
      };
      continue;
    }
    if (value === true) {
      outcomes[index] = TRUE;
      continue;
    }
    allTrue = false;
    if (value instanceof ErrorValue) {
      outcomes[index] = {
        error: `expression '${compiled.expression}' resulted in error: ${value.message}`,
        ...(isStopped(value) && { isStopped: true }),
      };
    } else {
      outcomes[index] = { value };
    }
  }
  return { outcomes, remainingBudget, allTrue };
}
