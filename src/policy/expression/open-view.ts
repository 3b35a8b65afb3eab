// The objects of a request with unknown values in their open fields.
import { UnknownValue, type Value } from '../../cel/value/value.ts';
import type { AdmissionRequest } from '../../kubernetes/request/admission-request.ts';
import { hasFreeKeys } from '../../kubernetes/request/free-keys.ts';
import type { JsonValue } from '../../source/json/json.ts';
import { type FieldPath, formatFieldPath } from '../../source/node/field-path.ts';

export interface OpenView {
  readonly object: Value;
  readonly oldObject: Value;
}

/** `open`: paths in both objects. */
export function openView(
  { object, oldObject }: Pick<AdmissionRequest, 'object' | 'oldObject'>,
  open: readonly FieldPath[],
): OpenView {
  return { object: withUnknowns(object, open), oldObject: withUnknowns(oldObject, open) };
}

function withUnknowns(object: JsonValue, open: readonly FieldPath[]): Value {
  if (object === null) return null;
  return open.reduce((value: Value, path) => withUnknown(value, path, 0), object);
}

/** Copies the containers on the path. A missing parent stays missing; a missing last member is unknown. */
function withUnknown(value: Value, path: FieldPath, depth: number): Value {
  if (value instanceof UnknownValue) return value;
  const step = path[depth];
  if (step === undefined) return new UnknownValue(formatFieldPath(path), isPresent(path));
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === step ? withUnknown(item, path, depth + 1) : item));
  }
  if (!(value instanceof Map)) return value;
  const below: Value | undefined = value.get(String(step));
  if (below === undefined && depth < path.length - 1) return value;
  return new Map(value).set(String(step), withUnknown(below ?? null, path, depth + 1));
}

function isPresent(path: FieldPath): boolean {
  return typeof path.at(-1) === 'number' || hasFreeKeys(path.slice(0, -1));
}
