// JSON as the API server holds it: integers kept apart from doubles, objects without a prototype.

/**
 * A JSON value after Kubernetes' decoding (`k8s.io/apimachinery/pkg/util/json`): a number without fraction or
 * exponent that fits int64 is a `bigint`, every other number is a double (`number`). Objects are Maps, so no
 * key (`__proto__`, `constructor`) is special and key order is the text's. Every JSON value is also a CEL value as it stands.
 */
export type JsonValue = null | boolean | bigint | number | string | JsonArray | JsonObject;

export interface JsonArray extends ReadonlyArray<JsonValue> {}

export interface JsonObject extends ReadonlyMap<string, JsonValue> {}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return value instanceof Map;
}

export function isJsonArray(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}
