// Timestamps: parsing and formatting of RFC 3339 as in Go, and checked arithmetic.

import { trimRight } from '../../go/strings/trim.ts';
import { civilFromDays, daysFromCivil, daysInMonth, SECONDS_PER_DAY } from '../../go/time/calendar.ts';
import { checkedDuration } from './duration.ts';
import { checkedInt } from './integer.ts';
import { type Duration, Timestamp } from './scalar.ts';
import { ErrorValue } from './value.ts';

/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z. */
const MIN_SECONDS = -62_135_596_800n;
const MAX_SECONDS = 253_402_300_799n;
const NANOS = 1_000_000_000n;

/** The hour may have one digit, and the fraction may follow a comma: Go `time.Parse(time.RFC3339, …)` accepts both. */
const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d{1,2}):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/;

const timestampOverflow = (): ErrorValue => new ErrorValue('timestamp overflow');

/** A well-formed time in the years 0 to 9999; otherwise undefined. See `inRange`. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as Numbers;
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const [offsetHours, offsetMinutes] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (offsetHours > 24 || offsetMinutes > 60) return undefined;
  const offset = (offsetHours * 3600 + offsetMinutes * 60) * (match[8] === '-' ? -1 : 1);
  const seconds = daysFromCivil({ year, month, day }) * SECONDS_PER_DAY + hour * 3600 + minute * 60 + second - offset;
  const nanos = Number((match[7] ?? '').slice(0, 9).padEnd(9, '0'));
  return new Timestamp(BigInt(seconds), nanos, offset);
}

type Numbers = [number, number, number, number, number, number];

export function inRange(timestamp: Timestamp): Timestamp | ErrorValue {
  return timestamp.seconds >= MIN_SECONDS && timestamp.seconds <= MAX_SECONDS ? timestamp : timestampOverflow();
}

/** Go's `time.RFC3339Nano`, in the offset of the timestamp. */
export function formatTimestamp({ seconds, nanos, offset }: Timestamp): string {
  const local = Number(seconds) + offset;
  const days = Math.floor(local / SECONDS_PER_DAY);
  const second = local - days * SECONDS_PER_DAY;
  const { year, month, day } = civilFromDays(days);
  const date = `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
  const time = `${pad(Math.floor(second / 3600))}:${pad(Math.floor(second / 60) % 60)}:${pad(second % 60)}`;
  const fraction = nanos === 0 ? '' : `.${trimRight(pad(nanos, 9), '0')}`;
  return `${date}T${time}${fraction}${formatOffset(offset)}`;
}

function formatOffset(offset: number): string {
  if (offset === 0) return 'Z';
  const minutes = Math.trunc(Math.abs(offset) / 60);
  return `${offset < 0 ? '-' : '+'}${pad(Math.trunc(minutes / 60))}:${pad(minutes % 60)}`;
}

function pad(value: number, width = 2): string {
  return value < 0 ? `-${String(-value).padStart(width, '0')}` : String(value).padStart(width, '0');
}

export function addDuration(timestamp: Timestamp, nanoseconds: bigint): Timestamp | ErrorValue {
  const total = timestamp.seconds * NANOS + BigInt(timestamp.nanos) + nanoseconds;
  const nanos = ((total % NANOS) + NANOS) % NANOS;
  return inRange(new Timestamp((total - nanos) / NANOS, Number(nanos), timestamp.offset));
}

/** Overflow gives the error `integer overflow`, even if only the whole seconds do not fit, because cel-go scales them first. */
export function durationBetween(later: Timestamp, earlier: Timestamp): Duration | ErrorValue {
  const whole = checkedInt((later.seconds - earlier.seconds) * NANOS);
  if (whole instanceof ErrorValue) return whole;
  return checkedDuration(whole + BigInt(later.nanos - earlier.nanos));
}

export function compareTimestamps(left: Timestamp, right: Timestamp): -1 | 0 | 1 {
  if (left.seconds !== right.seconds) return left.seconds < right.seconds ? -1 : 1;
  if (left.nanos !== right.nanos) return left.nanos < right.nanos ? -1 : 1;
  return 0;
}
