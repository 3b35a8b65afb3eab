// Go's time.Duration: parsing, formatting and the error texts.
import { toByteString } from '../strings/byte-string.ts';
import { trimRight } from '../strings/trim.ts';
import { quoteTime } from './quote-time.ts';

const MAX_INT64 = 2n ** 63n - 1n;
const MIN_INT64 = -(2n ** 63n);
const OVERFLOW = 2n ** 63n;

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['\xc2\xb5s', 1_000n],
  ['\xce\xbcs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

function invalidDuration(original: string): { readonly error: string } {
  return { error: `time: invalid duration ${quoteTime(original)}` };
}

/** `time.ParseDuration` in nanoseconds: `1h30m`, `-1.5s`, `0`. */
export function parseGoDuration(text: string): bigint | { readonly error: string } {
  const original = toByteString(text);
  const signed = /^[-+]/.test(original);
  const isNegative = original.startsWith('-');
  let rest = signed ? original.slice(1) : original;
  if (rest === '0') return 0n;
  if (rest === '') return invalidDuration(original);
  let total = 0n;
  while (rest !== '') {
    const match = /^([0-9]*)(\.[0-9]*)?/.exec(rest) as RegExpExecArray;
    const [written = '', whole = '', point = ''] = match;
    if (whole === '' && point.length <= 1) return invalidDuration(original);
    const value = leadingInteger(whole);
    if (value === undefined) return invalidDuration(original);
    rest = rest.slice(written.length);
    const unit = /^[^.0-9]*/.exec(rest)?.[0] ?? '';
    if (unit === '') return { error: `time: missing unit in duration ${quoteTime(original)}` };
    const size = UNITS.get(unit);
    if (size === undefined) {
      return { error: `time: unknown unit ${quoteTime(unit)} in duration ${quoteTime(original)}` };
    }
    if (value > OVERFLOW / size) return invalidDuration(original);
    const part = value * size + fractionOf(point.slice(1), size);
    // As uint64, where the sum of two halves is zero.
    total = BigInt.asUintN(64, total + part);
    if (part > OVERFLOW || total > OVERFLOW) return invalidDuration(original);
    rest = rest.slice(unit.length);
  }
  if (isNegative) return -total;
  return total > MAX_INT64 ? invalidDuration(original) : total;
}

function leadingInteger(digits: string): bigint | undefined {
  const significant = digits.replace(/^0+/, '');
  if (significant.length > 19) return undefined;
  const value = BigInt(significant || '0');
  return value > OVERFLOW ? undefined : value;
}

/** Go multiplies the fraction as a float64 and ignores digits beyond int64. */
function fractionOf(digits: string, size: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits) {
    if (value > MAX_INT64 / 10n) break;
    const next = value * 10n + BigInt(digit);
    if (next > OVERFLOW) break;
    value = next;
    scale *= 10;
  }
  return value === 0n ? 0n : BigInt(Math.trunc(Number(value) * (Number(size) / scale)));
}

/** `Duration.String`: `1h30m0s`, `1.5s`, `300ms`, `0s`. */
export function formatGoDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (size < 1_000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${decimal(size, 3)}\u00b5s`;
  if (size < 1_000_000_000n) return `${sign}${decimal(size, 6)}ms`;
  const minutes = size / 60_000_000_000n;
  const seconds = `${decimal(size % 60_000_000_000n, 9)}s`;
  if (minutes === 0n) return `${sign}${seconds}`;
  const hours = minutes / 60n;
  return `${sign}${hours === 0n ? '' : `${hours}h`}${minutes % 60n}m${seconds}`;
}

function decimal(value: bigint, places: number): string {
  const digits = value.toString().padStart(places + 1, '0');
  const fraction = trimRight(digits.slice(-places), '0');
  return `${digits.slice(0, -places)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** `Duration.Seconds`. */
export function secondsOf(nanoseconds: bigint): number {
  return Number(nanoseconds / 1_000_000_000n) + Number(nanoseconds % 1_000_000_000n) / 1e9;
}

/** `time.Duration(value)` of a float64: a value outside int64 becomes the smallest int64, as on amd64. */
export function durationOf(value: number): bigint {
  if (!Number.isFinite(value)) return MIN_INT64;
  const whole = BigInt(Math.trunc(value));
  return whole > MAX_INT64 || whole < MIN_INT64 ? MIN_INT64 : whole;
}

/** The nearest int64, as in `Time.Sub`. */
export function saturated(nanoseconds: bigint): bigint {
  if (nanoseconds > MAX_INT64) return MAX_INT64;
  return nanoseconds < MIN_INT64 ? MIN_INT64 : nanoseconds;
}
