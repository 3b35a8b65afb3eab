// What a policy is evaluated with: the objects, who asks, and the JSON that variables are looked up in.
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import type { Labels } from '../../../kubernetes/selector/label-selector.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import type { SelectedKind } from '../matching/kind-selector.ts';
import type { RequestInfo } from '../matching/resource-filter.ts';
import type { EvaluationContext } from '../variables/evaluation-context.ts';

export interface PolicyContext {
  /** What the objects, the kind and the operation below are of. */
  readonly request: AdmissionRequest;
  /** Undefined on DELETE. */
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
  readonly kind: SelectedKind;
  readonly operation: string;
  readonly requestInfo: RequestInfo;
  readonly namespaceLabels: Labels;
  /** Undefined for what has no Namespace, and for Namespaces. */
  readonly namespaceObject: JsonObject | undefined;
  readonly json: EvaluationContext;
}

export function isDelete({ operation, object }: PolicyContext): boolean {
  return operation === '' ? object === undefined : operation === 'DELETE';
}

export function isUpdate({ object, oldObject, operation }: PolicyContext): boolean {
  return (object !== undefined && oldObject !== undefined) || operation === 'UPDATE';
}
