// Values that are changed in place while an object is brought into the form the server holds.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json.ts';
import type { MutableObject } from '../../schema/typed-field.ts';

export type MutableArray = JsonValue[];

/** A copy that shares no container with the original. */
export function copyJson(value: JsonObject): MutableObject;
export function copyJson(value: JsonValue): JsonValue;
export function copyJson(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map((item) => copyJson(item));
  if (!isJsonObject(value)) return value;
  const copy: MutableObject = new Map();
  for (const [key, item] of value) copy.set(key, copyJson(item));
  return copy;
}

/** Only for values that come from `copyJson`. */
export function mutableObject(value: JsonValue): MutableObject | undefined {
  return isJsonObject(value) ? (value as MutableObject) : undefined;
}

/** Only for values that come from `copyJson`. */
export function mutableArray(value: JsonValue): MutableArray | undefined {
  return isJsonArray(value) ? (value as MutableArray) : undefined;
}
