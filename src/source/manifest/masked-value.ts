// Removes generated values from a document, so that comparisons see only written values.

import { isJsonArray, isJsonObject, type JsonValue } from '../json/json.ts';
import type { FieldPath } from '../node/field-path.ts';
import type { Manifest } from './manifest.ts';

/** The document's value with null for each field in `madeUpFields`. */
export function maskedValue({ value, madeUpFields }: Pick<Manifest, 'value' | 'madeUpFields'>): JsonValue {
  return (madeUpFields ?? []).reduce((masked: JsonValue, path) => withNull(masked, path), value);
}

function withNull(value: JsonValue, [step, ...rest]: FieldPath): JsonValue {
  if (step === undefined) return null;
  if (isJsonArray(value)) {
    return value.map((item, index) => (index === step ? withNull(item, rest) : item));
  }
  if (!isJsonObject(value)) return value;
  const below = value.get(String(step));
  return below === undefined ? value : new Map([...value, [String(step), withNull(below, rest)]]);
}
