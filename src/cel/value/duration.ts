// Durations: Go's notation and checked arithmetic.
import { formatDoublePlain } from '../../go/strconv/float-text.ts';
import { checkedInt } from './integer.ts';
import { Duration } from './scalar.ts';
import { ErrorValue } from './value.ts';

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['\u00b5s', 1_000n],
  ['\u03bcs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);
const LIMIT = 1n << 63n;

/** Go `time.ParseDuration`: `1h30m`, `-1.5s`, `0`. */
export function parseDuration(text: string): Duration | undefined {
  let at = 0;
  const negative = text.startsWith('-');
  if (negative || text.startsWith('+')) at++;
  if (text.length === at) return undefined;
  if (text.length === at + 1 && text.charAt(at) === '0') return new Duration(0n);
  let total = 0n;
  while (at < text.length) {
    const part = readPart(text, at);
    if (part === undefined) return undefined;
    total += part.nanoseconds;
    if (total > LIMIT) return undefined;
    at = part.end;
  }
  if (negative) return new Duration(-total);
  return total < LIMIT ? new Duration(total) : undefined;
}

function readPart(text: string, start: number): { nanoseconds: bigint; end: number } | undefined {
  let at = start;
  let whole = 0n;
  for (; isDigit(text, at); at++) {
    whole = whole * 10n + BigInt(text.charCodeAt(at) - 48);
    if (whole > LIMIT) return undefined;
  }
  let digits = at - start;
  let fraction = { value: 0n, scale: 1, end: at };
  if (text.charAt(at) === '.') {
    fraction = readFraction(text, at + 1);
    digits += fraction.end - at - 1;
    at = fraction.end;
  }
  if (digits === 0) return undefined;
  const unitStart = at;
  while (at < text.length && text.charAt(at) !== '.' && !isDigit(text, at)) at++;
  const unit = UNITS.get(text.slice(unitStart, at));
  if (unit === undefined || whole > LIMIT / unit) return undefined;
  // Go multiplies the fraction as a float64.
  const nanoseconds = whole * unit + BigInt(Math.trunc(Number(fraction.value) * (Number(unit) / fraction.scale)));
  return nanoseconds > LIMIT ? undefined : { nanoseconds, end: at };
}

/** Ignores digits that do not fit 63 bits. */
function readFraction(text: string, start: number): { value: bigint; scale: number; end: number } {
  let value = 0n;
  let scale = 1;
  let full = false;
  let at = start;
  for (; isDigit(text, at); at++) {
    if (full) continue;
    const next = value * 10n + BigInt(text.charCodeAt(at) - 48);
    if (value > (LIMIT - 1n) / 10n || next > LIMIT) {
      full = true;
      continue;
    }
    value = next;
    scale *= 10;
  }
  return { value, scale, end: at };
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** The result of `string(duration)`: seconds, rounded to a double. */
export function formatDuration(duration: Duration): string {
  return `${formatDoublePlain(durationSeconds(duration))}s`;
}

/** Go `Duration.Seconds`: converts whole seconds and the rest separately. */
function durationSeconds({ nanoseconds }: Duration): number {
  return Number(nanoseconds / 1_000_000_000n) + Number(nanoseconds % 1_000_000_000n) / 1e9;
}

/** Overflow gives the error `integer overflow`. */
export function checkedDuration(nanoseconds: bigint): Duration | ErrorValue {
  const checked = checkedInt(nanoseconds);
  return checked instanceof ErrorValue ? checked : new Duration(checked);
}
