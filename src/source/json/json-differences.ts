// The paths at which two JSON values differ.
import type { FieldPath } from '../node/field-path.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from './json.ts';

/** A mapping with other keys, or a list of another length, differs as a whole. */
export function jsonDifferences(one: JsonValue, other: JsonValue): readonly FieldPath[] {
  const found: FieldPath[] = [];
  const compare = (left: JsonValue, right: JsonValue, path: FieldPath): void => {
    if (isJsonObject(left) && isJsonObject(right) && haveSameKeys(left, right)) {
      for (const [key, value] of left) compare(value, right.get(key) as JsonValue, [...path, key]);
    } else if (isJsonArray(left) && isJsonArray(right) && left.length === right.length) {
      for (const [index, value] of left.entries()) compare(value, right[index] as JsonValue, [...path, index]);
    } else if (left !== right) found.push(path);
  };
  compare(one, other, []);
  return found;
}

function haveSameKeys(left: JsonObject, right: JsonObject): boolean {
  return left.size === right.size && [...left.keys()].every((key) => right.has(key));
}
