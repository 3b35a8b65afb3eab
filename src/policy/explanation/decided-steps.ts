// Explanation steps for languages that report decisions but not how they reached them.
import type { AdmissionRequest } from '../../kubernetes/request/admission-request.ts';
import type { LoadedPolicies, RecordedDecision } from '../language/policy-language.ts';
import { type ExplanationStep, type PolicyExplanation, resultInOrder, type StepResult } from './explanation.ts';

export function decidedSteps(
  loaded: Pick<LoadedPolicies, 'policies' | 'evaluate'>,
  request: AdmissionRequest,
): readonly PolicyExplanation[] {
  const decisions: RecordedDecision[] = [];
  loaded.evaluate(request, (decision) => void decisions.push(decision));
  return loaded.policies.map(({ identity: policy }) => {
    const own = decisions.filter((decision) => decision.policy.resource === policy.resource);
    if (own.length === 0) return { policy, result: 'stops', steps: [{ result: 'stops', says: 'does not apply' }] };
    const steps = own.map((decision) => decidedStep(decision));
    return { policy, result: resultInOrder(steps), steps };
  });
}

/** For a request that mutating policies (`by`) reject before these policies run. */
export function unaskedSteps(
  { policies }: Pick<LoadedPolicies, 'policies'>,
  by: readonly string[],
): readonly PolicyExplanation[] {
  const says = `does not run: ${by.join(' and ')} rejects the request first`;
  return policies.map(({ identity: policy }) => ({ policy, result: 'stops', steps: [{ result: 'stops', says }] }));
}

function decidedStep({ policy, rule, evaluation, message }: RecordedDecision): ExplanationStep {
  const says = message === '' ? 'holds' : message;
  return { result: RESULTS[evaluation], says, by: { resource: policy.resource, field: rule } };
}

const RESULTS: Readonly<Record<RecordedDecision['evaluation'], StepResult>> = {
  admit: 'passes',
  deny: 'fails',
  error: 'error',
  unknown: 'unknown',
};
