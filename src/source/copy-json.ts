// Copies of JSON values, to be changed in place.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from './json.ts';

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
