// Decides whether a policy applies, by its matchConditions (apiserver `webhook/matchconditions/matcher.go`).
import { aggregateErrors } from '../../kubernetes/validation/aggregate-errors.ts';
import type { CompiledExpression } from './compiled-expression.ts';
import { evaluateExpressions, MATCH_CONDITIONS_COST_BUDGET } from './condition-evaluator.ts';
import type { RequestActivation } from './request-activation.ts';

export type MatchConditionsOutcome =
  /** `unknown`: an open field that a condition depends on, so that the policy may not match. */
  | { readonly matches: true; readonly unknown?: string }
  /** `index` of the first false condition. Undefined: failurePolicy Ignore suppressed errors. */
  | { readonly matches: false; readonly index: number | undefined }
  | { readonly error: string; readonly index: number; readonly isUnfinished?: true };

/**
 * All conditions run. The first false one decides, even after errors. Without a false one, errors follow failurePolicy:
 * Fail turns them into the policy's error, Ignore skips the policy. `spend` receives the cost.
 */
export function evaluateMatchConditions(
  conditions: readonly CompiledExpression[],
  activation: RequestActivation,
  failurePolicy: 'Fail' | 'Ignore',
  spend?: (cost: number) => void,
): MatchConditionsOutcome {
  const round = evaluateExpressions(conditions, activation, MATCH_CONDITIONS_COST_BUDGET);
  spend?.(MATCH_CONDITIONS_COST_BUDGET - ('outOfBudget' in round ? 0 : round.remainingBudget));
  if ('outOfBudget' in round) {
    return failurePolicy === 'Fail' ? { error: round.outOfBudget, index: 0 } : { matches: false, index: undefined };
  }
  const errors: string[] = [];
  let firstError = 0;
  let unfinished: { readonly isUnfinished: true } | undefined;
  let unknown: string | undefined;
  for (const [index, outcome] of round.outcomes.entries()) {
    if (outcome === undefined) continue;
    if ('error' in outcome && outcome.unknown !== undefined) {
      unknown ??= outcome.unknown;
    } else if ('error' in outcome) {
      if (errors.length === 0) firstError = index;
      errors.push(outcome.error);
      if (outcome.isUnfinished) unfinished = { isUnfinished: true };
    } else if (outcome.value === false) {
      return { matches: false, index };
    }
  }
  if (errors.length === 0) return unknown === undefined ? { matches: true } : { matches: true, unknown };
  if (failurePolicy === 'Ignore' && unfinished === undefined) return { matches: false, index: undefined };
  if (unknown !== undefined) return { matches: true, unknown };
  return { error: aggregateErrors(errors), index: firstError, ...unfinished };
}
