// A resource with every policy outcome about it. The engine hands it to the report.

import type { Resource } from '../../kubernetes/api/resource.ts';
import type { AdmissionRequest } from '../../kubernetes/request/admission-request.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { PolicyIdentity } from '../language/policy.ts';
import type { AdmissionOutcome, ObjectChangeByPolicy } from '../language/policy-language.ts';
import type { PolicyWrites } from '../mutation/policy-writes.ts';
import type { Evaluation } from './evaluation.ts';

export interface EvaluatedResource {
  readonly resource: Resource;
  readonly request: AdmissionRequest;
  /** One per policy language. */
  readonly outcomes: readonly AdmissionOutcome[];
  /** Objects in the repository that may change the object before policies see it, but are not evaluated. Absent: none. */
  readonly mayBeChangedBy?: readonly string[];
  /** Denials that mutations of other policies prevent. Present only on request. */
  readonly mutatedAway?: readonly Evaluation[];
  /** What mutating policies changed before other policies evaluated the object. */
  readonly changes: readonly ObjectChangeByPolicy[];
  /** Values of the cluster's Secrets that messages of the policy may quote. Absent: none. */
  lookedUp?(policy: Pick<PolicyIdentity, 'kind' | 'name'>): ReadonlySet<string>;
  /** The edits that mutating policies imply for the manifest. Computed on first call. */
  writes(): PolicyWrites | undefined;
  /** True for fields that the API server filled in because the manifest omits them. */
  isDefaulted(path: FieldPath): boolean;
}
