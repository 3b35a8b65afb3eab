// The request with unknown values in its open fields. Reading one throws `Undecided`.
import type { AdmissionRequest, InventedFields } from '../../../kubernetes/request/admission-request.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { type FieldPath, formatFieldPath } from '../../../source/node/field-path.ts';
import { HiddenFields } from '../value/hidden-fields.ts';
import { Undecided } from './rule-response.ts';

/** The same request if nothing is open. Excludes the status, which controllers write. */
export function openRequest(request: AdmissionRequest): AdmissionRequest {
  const { invented } = request;
  const open = (invented?.unseen ?? []).filter(([first]) => first !== 'status').map(withoutIndex);
  if (invented === undefined || open.length === 0) return request;
  const hide = (object: JsonObject | null) => object && (hidden(object, open, [], invented) as JsonObject);
  return { ...request, object: hide(request.object), oldObject: hide(request.oldObject) };
}

/** A list has no unknown items: the list itself is unknown. */
function withoutIndex(path: FieldPath): FieldPath {
  return typeof path.at(-1) === 'number' ? withoutIndex(path.slice(0, -1)) : path;
}

function hidden(value: JsonValue, open: readonly FieldPath[], at: FieldPath, invented: InventedFields): JsonValue {
  const inside = open.filter((path) => path.length > at.length);
  if (isJsonArray(value)) return value.map((item, index) => below(item, inside, at, index, invented));
  if (!isJsonObject(value)) return value;
  const own = inside.filter((path) => path.length === at.length + 1).map((path) => String(path.at(-1)));
  const members = new Map([...value].map(([key, item]) => [key, below(item, inside, at, key, invented)]));
  const missing = (key: string | undefined): Undecided => {
    const path = [...at, key ?? (own[0] as string)];
    const depends = invented.reasonOf?.(path)?.depends ?? `${formatFieldPath(path)}, which only the server knows`;
    return new Undecided(depends, [{ root: 'object', path, found: true }]);
  };
  return own.length === 0 ? members : new HiddenFields(members, new Set(own), missing);
}

function below(
  value: JsonValue,
  open: readonly FieldPath[],
  at: FieldPath,
  step: string | number,
  invented: InventedFields,
): JsonValue {
  const inside = open.filter((path) => path[at.length] === step);
  return inside.length === 0 ? value : hidden(value, inside, [...at, step], invented);
}
