// Input of a policy evaluation: the objects, the user, and the JSON for variable lookups.
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import type { SelectedKind } from '../matching/kind-selector.ts';
import type { NamespaceLabels } from '../matching/match-answer.ts';
import type { RequestInfo } from '../matching/resource-filter.ts';
import type { EvaluationContext } from '../variables/evaluation-context.ts';

export interface PolicyContext extends NamespaceLabels {
  /** The request that the other fields belong to. */
  readonly request: AdmissionRequest;
  /** Undefined on DELETE. */
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
  readonly kind: SelectedKind;
  readonly operation: string;
  readonly requestInfo: RequestInfo;
  /** Undefined for cluster-scoped objects and for Namespaces. */
  readonly namespaceObject: JsonObject | undefined;
  readonly json: EvaluationContext;
}

export function isDelete({ operation, object }: PolicyContext): boolean {
  return operation === '' ? object === undefined : operation === 'DELETE';
}

export function isUpdate({ object, oldObject, operation }: PolicyContext): boolean {
  return (object !== undefined && oldObject !== undefined) || operation === 'UPDATE';
}
