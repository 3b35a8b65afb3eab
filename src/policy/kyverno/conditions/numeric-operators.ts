// `GreaterThan`, `LessThan` and similar: tries durations, quantities, numbers and versions, in this order (`numeric.go`).

import { compareSemanticVersions, parseSemanticVersion } from '../../../go/semver/semantic-version.ts';
import { parseGoFloat } from '../../../go/strconv/parse-float.ts';
import { secondsOf } from '../../../go/time/duration.ts';
import { compareQuantities, parseQuantity } from '../../../kubernetes/quantity/quantity.ts';
import type { JsonValue } from '../../../source/json/json.ts';
import { durationPair } from './duration-operators.ts';
import { holdsFor, orderOf } from './ordering.ts';

export function compareNumbers(key: JsonValue, value: JsonValue, operator: string): boolean {
  if (typeof key === 'string') return compareText(key, value, operator);
  if (typeof key === 'bigint' || typeof key === 'number') return compareNumber(key, value, operator);
  return false;
}

/** Compares as float64. */
function compareNumber(key: number | bigint, value: JsonValue, operator: string): boolean {
  const number = Number(key);
  if (typeof value === 'bigint' || typeof value === 'number') {
    return holdsFor(orderOf(number, Number(value)), operator);
  }
  if (typeof value !== 'string') return false;
  const durations = durationPair(key, value);
  if (durations !== undefined) {
    return holdsFor(orderOf(secondsOf(durations.key), secondsOf(durations.value)), operator);
  }
  const parsed = parseGoFloat(value);
  return parsed !== undefined && holdsFor(orderOf(number, parsed), operator);
}

function compareText(key: string, value: JsonValue, operator: string): boolean {
  const durations = durationPair(key, value);
  if (durations !== undefined) {
    return holdsFor(orderOf(secondsOf(durations.key), secondsOf(durations.value)), operator);
  }
  if (typeof value === 'string') {
    const left = parseQuantity(key);
    const right = parseQuantity(value);
    if (!('error' in left) && !('error' in right)) return holdsFor(compareQuantities(left, right), operator);
  }
  const number = parseGoFloat(key);
  if (number !== undefined) return compareNumber(number, value, operator);
  const version = parseSemanticVersion(key);
  if ('error' in version || typeof value !== 'string') return false;
  const other = parseSemanticVersion(value);
  return !('error' in other) && holdsFor(compareSemanticVersions(version, other), operator);
}
