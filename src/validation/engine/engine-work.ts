// Whether the engine can judge an object in time. It reads its clock only when it collects garbage, so that some loops cannot be stopped.
import { isJsonArray, isJsonObject, type JsonValue } from '../../source/json/json.ts';

/**
 * The registry compares the items of a list with each other, for example to find repeated variables. The sum of the squares of the lengths of all
 * lists; 100,000,000 comparisons take about a second.
 */
const MOST_COMPARISONS = 200_000_000;
/** A quantity of this exponent is computed in full: `1e999999999` has a billion digits. */
const LARGE_EXPONENT = /^[+-]?[0-9.]+[eE][+-]?[0-9]{7,}$/;
const LONGEST_QUANTITY = 64;
/** Texts, for example abbreviated commits: `1e12345678`. */
const NO_QUANTITIES = new Set([
  'annotations',
  'args',
  'command',
  'data',
  'labels',
  'matchLabels',
  'stringData',
  'value',
]);

/** Undefined if it can. */
export function excessiveWork(object: JsonValue): string | undefined {
  const work = { comparisons: 0 };
  return hasLargeExponent(object, work)
    ? 'a number has too large an exponent'
    : work.comparisons > MOST_COMPARISONS
      ? 'a list has too many items'
      : undefined;
}

/** Counts the comparisons besides, so that the object is walked once. */
function hasLargeExponent(value: JsonValue, work: { comparisons: number }): boolean {
  if (typeof value === 'string') return value.length <= LONGEST_QUANTITY && LARGE_EXPONENT.test(value);
  if (isJsonArray(value)) {
    work.comparisons += value.length ** 2;
    return value.some((item) => hasLargeExponent(item, work));
  }
  if (!isJsonObject(value)) return false;
  for (const [key, item] of value) {
    // Lists in these fields are not compared, either.
    if (!NO_QUANTITIES.has(key) && hasLargeExponent(item, work)) return true;
  }
  return false;
}
