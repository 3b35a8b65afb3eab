// Copies JSON values so that the copy can be changed in place.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from './json.ts';

/** Shallow copy. The loop avoids `new Map(object)`, which allocates an array for every entry. */
export function copyFields(object: JsonObject): Map<string, JsonValue> {
  const copy = new Map<string, JsonValue>();
  for (const [key, value] of object) copy.set(key, value);
  return copy;
}

/** Deep copy: shares no container with the original. */
export function copyJson(value: JsonObject): Map<string, JsonValue>;
export function copyJson(value: JsonValue): JsonValue;
export function copyJson(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map((item) => copyJson(item));
  if (!isJsonObject(value)) return value;
  const copy = new Map<string, JsonValue>();
  for (const [key, item] of value) copy.set(key, copyJson(item));
  return copy;
}
