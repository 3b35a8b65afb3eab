// Builds the plugin's outcome for one request (pod-security-admission `admission/response.go`).
import type { Read } from '../../cel/value/trace.ts';
import { formatGroupResource } from '../../kubernetes/api/group-version.ts';
import type { AdmissionRequest } from '../../kubernetes/request/admission-request.ts';
import { aggregateErrors } from '../../kubernetes/validation/aggregate-errors.ts';
import { quotedInMessage } from '../../kubernetes/validation/field-error.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import type { PolicyIdentity, ValidationAction } from '../language/policy.ts';
import type { AdmissionOutcome, Denial, RecordedDecision } from '../language/policy-language.ts';

export type PodSecurityOutcome = { -readonly [K in keyof AdmissionOutcome]: Writable<AdmissionOutcome[K]> };
type Writable<T> = T extends readonly (infer E)[] ? E[] : T extends ReadonlyMap<infer K, infer V> ? Map<K, V> : T;

export function emptyOutcome(exempt: boolean): PodSecurityOutcome {
  return {
    exempt,
    matched: [],
    evaluations: [],
    omitted: [],
    passed: 0,
    denial: undefined,
    warnings: [],
    auditAnnotations: new Map(),
    unknowns: [],
  };
}

/** `apierrors.NewForbidden`, for requests that violate the enforced policy. */
export function forbiddenDenial({ resource, name }: AdmissionRequest, cause: string): Denial {
  const { group, resource: plural } = resource;
  const named = name === '' ? '' : ` ${quotedInMessage(name)}`;
  return {
    message: `${formatGroupResource(group, plural)}${named} is forbidden: ${cause}`,
    reason: 'Forbidden',
    code: 403,
    details: { name, group, kind: plural, cause },
  };
}

/** `apierrors.NewInvalid`, for Namespaces with invalid labels. */
export function invalidDenial({ kind, name }: AdmissionRequest, errors: readonly string[]): Denial {
  const cause = aggregateErrors(errors);
  return {
    message: `${kind.kind} ${quotedInMessage(name)} is invalid: ${cause}`,
    reason: 'Invalid',
    code: 422,
    details: { name, group: kind.group, kind: kind.kind, cause },
  };
}

export interface Statement {
  readonly policy: PolicyIdentity;
  readonly actions: readonly ValidationAction[];
  /** The label that sets the policy. */
  readonly rule: FieldPath;
  readonly message: string;
  readonly serverMessage: string;
  readonly status: Pick<Denial, 'reason' | 'code'>;
  readonly reads: readonly Read[];
}

export const FORBIDDEN: Statement['status'] = { reason: 'Forbidden', code: 403 };
export const INVALID: Statement['status'] = { reason: 'Invalid', code: 422 };

export function podSecurityFailure({
  policy,
  actions,
  rule,
  message,
  serverMessage,
  status,
  reads,
}: Statement): Evaluation {
  return {
    policy,
    binding: undefined,
    param: undefined,
    result: 'fail',
    missing: [],
    action: 'deny',
    validationActions: actions,
    rule,
    expression: undefined,
    message,
    ...status,
    serverMessage,
    explain: () => reads,
  };
}

export function recordFailures(outcome: AdmissionOutcome, record: (decision: RecordedDecision) => void): void {
  for (const [index, { policy, rule, action, reason, message }] of outcome.evaluations.entries()) {
    record({ policy, binding: undefined, param: undefined, rule, index, action, evaluation: 'deny', reason, message });
  }
}
