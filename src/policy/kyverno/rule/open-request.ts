// The request with unknown values in its open fields. Reading one throws `Undecided`.
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import { hasFreeKeys } from '../../../kubernetes/request/free-keys.ts';
import { withHiddenFields } from '../../../source/json/hidden-fields.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import { type FieldPath, formatFieldPath } from '../../../source/node/field-path.ts';
import { Undecided } from './rule-response.ts';

/** Excludes the status, which controllers write. */
export function openFieldsOf({ invented }: AdmissionRequest): readonly FieldPath[] {
  return (invented?.unseen ?? []).filter(([first]) => first !== 'status');
}

export function undecidedBy({ invented }: AdmissionRequest, path: FieldPath): Undecided {
  const depends = invented?.reasonOf?.(path)?.depends ?? `${formatFieldPath(path)}, which only the server knows`;
  return new Undecided(depends, [{ root: 'object', path, found: true }]);
}

/** The same request if nothing is open. */
export function openRequest(request: AdmissionRequest): AdmissionRequest {
  const open = openFieldsOf(request);
  if (open.length === 0) return request;
  const missing = (path: FieldPath): Undecided => undecidedBy(request, path);
  const hide = (object: JsonObject | null) => object && withHiddenFields(object, open, missing, hasFreeKeys);
  return { ...request, object: hide(request.object), oldObject: hide(request.oldObject) };
}
