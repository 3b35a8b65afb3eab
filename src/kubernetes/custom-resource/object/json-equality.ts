// Equality of JSON values as in Go, where integers differ from doubles.
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';

/** `reflect.DeepEqual`, and `equality.Semantic.DeepEqual` for decoded values. */
export function isSameJson(left: JsonValue, right: JsonValue): boolean {
  if (left === right) return true;
  if (isJsonArray(left)) {
    if (!isJsonArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => isSameJson(item, right[index] as JsonValue));
  }
  if (!isJsonObject(left)) return false;
  if (!isJsonObject(right) || left.size !== right.size) return false;
  for (const [key, value] of left) {
    const other = right.get(key);
    if (other === undefined || !isSameJson(value, other)) return false;
  }
  return true;
}
