// Denials of the unmutated object that mutation prevents.
import type { Evaluation } from '../../policy/evaluation/evaluation.ts';
import type { AdmissionOutcome } from '../../policy/language/policy-language.ts';

/** Undefined if there are none. `before`: results for the unmutated object. */
export function preventedDenials(
  before: readonly AdmissionOutcome[],
  after: readonly AdmissionOutcome[],
): readonly Evaluation[] | undefined {
  const said = new Set(denials(after).map(ruleKey));
  const prevented = denials(before).filter((evaluation) => !said.has(ruleKey(evaluation)));
  return prevented.length === 0 ? undefined : prevented;
}

function denials(outcomes: readonly AdmissionOutcome[]): readonly Evaluation[] {
  return outcomes.flatMap(({ evaluations }) => evaluations).filter(({ action }) => action === 'deny');
}

function ruleKey({ policy, binding, param, rule }: Evaluation): string {
  return JSON.stringify([policy.kind, policy.name, binding?.name, param?.namespace, param?.name, rule]);
}
