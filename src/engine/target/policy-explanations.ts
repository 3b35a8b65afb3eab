// The steps that the policies of a language took for one request.
import type { AdmissionRequest } from '../../kubernetes/request/admission-request.ts';
import { decidedSteps } from '../../policy/explanation/decided-steps.ts';
import type { PolicyExplanation } from '../../policy/explanation/explanation.ts';
import type { LoadedPolicies } from '../../policy/language/policy-language.ts';

/** Languages that only mutate explain the request before mutation. */
export function explanationsOf(
  loaded: LoadedPolicies,
  before: AdmissionRequest,
  request: AdmissionRequest,
): readonly PolicyExplanation[] {
  const isAboutChange = loaded.mutation !== undefined && loaded.mutation.isFollowedByEvaluation !== true;
  const asked = isAboutChange ? before : request;
  return loaded.explain?.(asked, before) ?? decidedSteps(loaded, asked);
}
