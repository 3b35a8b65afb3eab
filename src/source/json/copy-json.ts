// Copies of JSON values, to be changed in place.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from './json.ts';

/** A copy that shares what the fields hold. `new Map(object)` makes an array of every entry on the way. */
export function copyFields(object: JsonObject): Map<string, JsonValue> {
  const copy = new Map<string, JsonValue>();
  for (const [key, value] of object) copy.set(key, value);
  return copy;
}

/** A copy that shares no container with the original. */
export function copyJson(value: JsonObject): Map<string, JsonValue>;
export function copyJson(value: JsonValue): JsonValue;
export function copyJson(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map((item) => copyJson(item));
  if (!isJsonObject(value)) return value;
  const copy = new Map<string, JsonValue>();
  for (const [key, item] of value) copy.set(key, copyJson(item));
  return copy;
}
