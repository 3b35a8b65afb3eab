// AdmissionReviews as plain objects, for callers of the library.
import { DEFAULT_VERSION, parseKubernetesVersion } from '../../kubernetes/api/version.ts';
import { Reviewer } from '../answer-review.ts';
import { resourcesIn } from '../test/test-evaluator.ts';
import { checkVersion } from './evaluate.ts';
import { InputError } from './input-error.ts';
import { jsonValueOf, plainValueOf, type Source, sourceFiles } from './input-source.ts';

/** A server with policies that can be asked again and again. */
export interface ReviewInput {
  /** Policies of any language that is known, with their bindings. */
  readonly policies: Source;
  /** Params, Namespaces, CustomResourceDefinitions, RBAC objects: all that there is. */
  readonly resources?: Source;
  /** An AdmissionReview of `admission.k8s.io/v1` with a `request`, as a plain object. */
  readonly review: object;
  /** Adds `decisions` beside `response`: every one that was made, also of rules that hold. False if absent. */
  readonly decisions?: boolean;
  /** `1.36` if absent. */
  readonly kubernetesVersion?: string;
}

/** The answer to an AdmissionReview. */
export interface ReviewResult {
  /** The AdmissionReview with its `response`, as a webhook would send it. */
  readonly review: object;
  /** What the response does not speak for, one sentence each. Where there are any, the answer is not to be relied on. */
  readonly unknowns: readonly string[];
  /** What is wrong with the policies; those that a server refuses decide nothing. */
  readonly problems: readonly { readonly code: string; readonly message: string }[];
}

/** Answers an AdmissionReview as kube-apiserver's policies would. Throws InputError where it is none. */
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
