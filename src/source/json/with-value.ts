// Replaces one field of a JSON value.
import type { FieldPath } from '../node/field-path.ts';
import { isJsonArray, isJsonObject, type JsonValue } from './json.ts';

/** A copy with another value at the path, which shares the rest. The same value if the path does not exist. */
export function withValue(value: JsonValue, [step, ...rest]: FieldPath, leaf: JsonValue): JsonValue {
  if (step === undefined) return leaf;
  if (isJsonArray(value)) {
    return value.map((item, index) => (index === step ? withValue(item, rest, leaf) : item));
  }
  if (!isJsonObject(value)) return value;
  const below = value.get(String(step));
  return below === undefined ? value : new Map(value).set(String(step), withValue(below, rest, leaf));
}
