// Equality of JSON values. Quantities in different texts are not equal here.
import { isJsonArray, isJsonObject, type JsonValue } from '../../source/json/json.ts';

export function sameJson(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === other) return true;
  if (isJsonArray(one)) {
    return (
      isJsonArray(other) && one.length === other.length && one.every((item, index) => sameJson(item, other[index]))
    );
  }
  if (!isJsonObject(one) || !isJsonObject(other) || one.size !== other.size) return false;
  for (const [key, value] of one) if (!other.has(key) || !sameJson(value, other.get(key))) return false;
  return true;
}
