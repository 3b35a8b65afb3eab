// Durations in conditions, and the deprecated operators for durations (`duration.go`).
import { durationOf, parseGoDuration } from '../../../go/time/duration.ts';
import type { JsonValue } from '../../../source/json/json.ts';
import { holdsFor, orderOf } from './ordering.ts';

const NANOS = 1_000_000_000n;

/** Numbers are seconds; fractions are truncated. Undefined if the value is not a duration. */
function nanosecondsOf(value: JsonValue): bigint | undefined {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value * NANOS);
  if (typeof value === 'number') return BigInt.asIntN(64, durationOf(value) * NANOS);
  if (typeof value !== 'string' || !MAY_BE_DURATION.test(value)) return undefined;
  const duration = parseGoDuration(value);
  return typeof duration === 'bigint' ? duration : undefined;
}

/** Every duration starts like this. */
const MAY_BE_DURATION = /^[-+.0-9]/;

export interface DurationPair {
  readonly key: bigint;
  readonly value: bigint;
}

/** Key and value in nanoseconds. At least one must be a duration text other than `0`; the other may be a number. */
export function durationPair(key: JsonValue, value: JsonValue): DurationPair | undefined {
  const keyDuration = writtenDuration(key);
  const valueDuration = writtenDuration(value);
  if (keyDuration === undefined && valueDuration === undefined) return undefined;
  const left = keyDuration ?? numberDuration(key);
  const right = valueDuration ?? numberDuration(value);
  return left === undefined || right === undefined ? undefined : { key: left, value: right };
}

function writtenDuration(value: JsonValue): bigint | undefined {
  return typeof value === 'string' && value !== '0' ? nanosecondsOf(value) : undefined;
}

function numberDuration(value: JsonValue): bigint | undefined {
  return typeof value === 'string' ? undefined : nanosecondsOf(value);
}

/** `operator` without the prefix `Duration`. */
export function compareDurations(key: JsonValue, value: JsonValue, operator: string): boolean {
  const left = nanosecondsOf(key);
  const right = nanosecondsOf(value);
  return left !== undefined && right !== undefined && holdsFor(orderOf(left, right), operator);
}
