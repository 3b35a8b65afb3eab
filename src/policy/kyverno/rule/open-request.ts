// The request with unknown values in its open fields. Reading one throws `Undecided`.
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import { withHiddenFields } from '../../../source/json/hidden-fields.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import { type FieldPath, formatFieldPath } from '../../../source/node/field-path.ts';
import { Undecided } from './rule-response.ts';

/** The same request if nothing is open. Excludes the status, which controllers write. */
export function openRequest(request: AdmissionRequest): AdmissionRequest {
  const { invented } = request;
  const open = (invented?.unseen ?? []).filter(([first]) => first !== 'status');
  if (invented === undefined || open.length === 0) return request;
  const missing = (path: FieldPath): Undecided => {
    const depends = invented.reasonOf?.(path)?.depends ?? `${formatFieldPath(path)}, which only the server knows`;
    return new Undecided(depends, [{ root: 'object', path, found: true }]);
  };
  const hide = (object: JsonObject | null) => object && withHiddenFields(object, open, missing);
  return { ...request, object: hide(request.object), oldObject: hide(request.oldObject) };
}
