// AdmissionReviews as plain objects, for callers of the library.
import { DEFAULT_VERSION, parseKubernetesVersion } from '../../kubernetes/api/version.ts';
import { Reviewer } from '../answer-review.ts';
import { resourcesIn } from '../test/test-evaluator.ts';
import { checkVersion } from './evaluate.ts';
import { InputError } from './input-error.ts';
import { jsonValueOf, plainValueOf, type Source, sourceFiles } from './input-source.ts';

/** A review, with the policies and the other objects of the cluster. */
export interface ReviewInput {
  /** Policies of any supported language, with their bindings. */
  readonly policies: Source;
  /** Params, Namespaces, CustomResourceDefinitions, RBAC objects: the complete cluster. */
  readonly resources?: Source;
  /** An AdmissionReview of `admission.k8s.io/v1` with a `request`, as a plain object. */
  readonly review: object;
  /** Add every decision as `decisions` beside `response`, including those of rules that pass. Default: false. */
  readonly decisions?: boolean;
  /** `1.36` if absent. */
  readonly kubernetesVersion?: string;
}

/** The answer to an AdmissionReview. */
export interface ReviewResult {
  /** The AdmissionReview with the `response` that a webhook would send. */
  readonly review: object;
  /** What the response cannot decide, one sentence each. If there are any, do not rely on the response. */
  readonly unknowns: readonly string[];
  /** Errors of the policies. Policies that a server rejects decide nothing. */
  readonly problems: readonly { readonly code: string; readonly message: string }[];
}

/** Answers an AdmissionReview like the policies of kube-apiserver. Throws InputError if the value is not an AdmissionReview. */
export function review({
  policies,
  resources,
  kubernetesVersion,
  decisions = false,
  ...given
}: ReviewInput): ReviewResult {
  checkVersion(kubernetesVersion);
  const version = kubernetesVersion === undefined ? undefined : parseKubernetesVersion(kubernetesVersion);
  const files = [...sourceFiles('policies', policies), ...sourceFiles('resources', resources)];
  const reviewer = new Reviewer({
    resources: files.flatMap(resourcesIn),
    kubernetesVersion: version ?? DEFAULT_VERSION,
  });
  const answer = reviewer.answer(jsonValueOf(given.review, 'review'), decisions);
  if ('error' in answer) throw new InputError('bad-review', answer.error);
  return {
    review: plainValueOf(answer.review) as object,
    unknowns: answer.unknowns,
    problems: reviewer.diagnostics.map(({ code, message }) => ({ code, message })),
  };
}
