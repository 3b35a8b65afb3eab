// Counts the values that a JSON value consists of.
import { isJsonArray, isJsonObject, type JsonValue } from './json.ts';

/** Counts the value itself and everything nested in it; 0 for undefined. */
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
