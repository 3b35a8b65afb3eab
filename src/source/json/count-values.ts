// How many values a JSON value is made of.
import { isJsonArray, isJsonObject, type JsonValue } from './json.ts';

/** Itself, and everything in it; none where there is no value. */
export function countValues(root: JsonValue | undefined): number {
  if (root === undefined) return 0;
  if (typeof root !== 'object' || root === null) return 1;
  let count = 0;
  const open: JsonValue[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    count += 1;
    if (isJsonArray(value)) for (const item of value) open.push(item);
    else if (isJsonObject(value)) for (const item of value.values()) open.push(item);
  }
  return count;
}
