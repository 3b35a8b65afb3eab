// The paths at which two JSON values differ.
import type { FieldPath } from '../node/field-path.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from './json.ts';

/**
 * A list of another length differs as a whole, and so does a mapping with other keys. `isByKey`: at these paths only
 * the keys differ that one of the two lacks.
 */
export function jsonDifferences(
  one: JsonValue,
  other: JsonValue,
  isByKey?: (path: FieldPath) => boolean,
): readonly FieldPath[] {
  const found: FieldPath[] = [];
  const compare = (left: JsonValue, right: JsonValue, path: FieldPath): void => {
    if (isJsonObject(left) && isJsonObject(right) && (haveSameKeys(left, right) || isByKey?.(path) === true)) {
      for (const [key, value] of left) {
        const counterpart = right.get(key);
        if (counterpart === undefined) found.push([...path, key]);
        else compare(value, counterpart, [...path, key]);
      }
      for (const key of right.keys()) if (!left.has(key)) found.push([...path, key]);
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
