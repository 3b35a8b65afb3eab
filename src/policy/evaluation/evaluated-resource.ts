// A resource of the repository with everything the policies said about it: what the engine hands to the report.

import type { Resource } from '../../kubernetes/api/resource.ts';
import type { AdmissionRequest } from '../../kubernetes/request/admission-request.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { AdmissionOutcome, ObjectChangeByPolicy } from '../language/policy-language.ts';
import type { PolicyWrites } from '../mutation/policy-writes.ts';
import type { Evaluation } from './evaluation.ts';

export interface EvaluatedResource {
  readonly resource: Resource;
  readonly request: AdmissionRequest;
  /** One for each policy language. */
  readonly outcomes: readonly AdmissionOutcome[];
  /** What of the repository may change the object before policies see it, and is not evaluated; absent: nothing. */
  readonly mayBeChangedBy?: readonly string[];
  /** What policies would deny if no other had changed the object; only where that was asked for. */
  readonly mutatedAway?: readonly Evaluation[];
  /** What mutating policies did to the object before others judged it. */
  readonly changes: readonly ObjectChangeByPolicy[];
  /** What they make of the manifest; worked out when it is first asked for. */
  writes(): PolicyWrites | undefined;
  /** True for fields of the object that the API server filled in because the manifest does not write them. */
  isDefaulted(path: FieldPath): boolean;
}
