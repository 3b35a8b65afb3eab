// Evaluates expressions in order under one cost budget (apiserver `plugin/cel/condition.go`, `activation.go: Evaluate`).
import { WORK_EXCEEDED } from '../../cel/eval/frame.ts';
import { ErrorValue, UnknownValue, type Value } from '../../cel/value/value.ts';
import type { CompiledExpression } from './compiled-expression.ts';
import type { RequestActivation } from './request-activation.ts';
import { isStopped } from './unfinished.ts';

/** `RuntimeCELCostBudget`: shared by the validations and message expressions of one policy, binding and param. */
export const RUNTIME_COST_BUDGET = 10_000_000;
/** `RuntimeCELCostBudgetMatchConditions`. */
export const MATCH_CONDITIONS_COST_BUDGET = 2_500_000;

export const OUT_OF_BUDGET =
  'validation failed due to running out of cost budget, no further validation rules will be run';

/** `undefined` when the policy omits the expression, e.g. a validation without messageExpression. */
export type ExpressionOutcome =
  | { readonly value: Value }
  /**
   * `isUnfinished`: Preadmit stopped, the server would not, so the result is unknown. `isStopped`: the cost limit was
   * exceeded, so no field decided. `unknown`: the field that the result depends on.
   */
  | {
      readonly error: string;
      readonly isUnfinished?: true;
      readonly isStopped?: true;
      readonly unknown?: string;
    }
  | undefined;

export type EvaluationRound =
  | {
      readonly outcomes: readonly ExpressionOutcome[];
      readonly remainingBudget: number;
      /** True if every entry has an expression and all are true. */
      readonly allTrue: boolean;
    }
  | { readonly outOfBudget: string };

const TRUE: ExpressionOutcome = { value: true };

export function evaluateExpressions(
  expressions: readonly (CompiledExpression | undefined)[],
  activation: RequestActivation,
  budget: number,
): EvaluationRound {
  // Allocated at full size: a growing array reserves extra memory.
  const outcomes = new Array<ExpressionOutcome>(expressions.length);
  let remainingBudget = budget;
  let allTrue = true;
  // An indexed loop: iterators would be most of the allocations of millions of rounds.
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
        ...(value instanceof UnknownValue && { unknown: value.name }),
      };
    } else {
      outcomes[index] = { value };
    }
  }
  return { outcomes, remainingBudget, allTrue };
}
