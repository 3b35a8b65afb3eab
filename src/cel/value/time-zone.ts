// Wall-clock time in zones named as in Go's `time.LoadLocation` or as cel-go's fixed offsets.

import { goQuote } from '../../go/strconv/quote.ts';
import { SECONDS_PER_DAY } from '../../go/time/calendar.ts';
import type { Timestamp } from './scalar.ts';
import { TIME_ZONE_NAMES } from './time-zone-names.generated.ts';
import { ErrorValue } from './value.ts';

/** Seconds since the epoch in local time: division gives the day and the time of day. */
export type WallSeconds = number;

/** `Local` is the server's zone, which is UTC. `Factory` is in Go's database, but not in that of `Intl`. */
const UTC_NAMES: ReadonlySet<string> = new Set(['', 'UTC', 'Local', 'Factory']);

/** Caches zones. Belongs to the library of an environment. */
export class TimeZones {
  readonly #formats = new Map<string, Intl.DateTimeFormat | undefined>();

  /** `zone`: an IANA name in its exact spelling, `UTC`, `Local` (which is UTC) or an offset like `+05:30`. */
  wallSeconds(timestamp: Timestamp, zone: string): WallSeconds | ErrorValue {
    const seconds = Number(timestamp.seconds);
    const colon = zone.indexOf(':');
    if (colon >= 0) {
      const offset = fixedOffset(zone, colon);
      return offset instanceof ErrorValue ? offset : seconds + offset;
    }
    if (UTC_NAMES.has(zone)) return seconds;
    if (/^[/\\]|\.\./.test(zone)) return new ErrorValue('time: invalid location name');
    // The operating system refuses such a file name.
    if (zone.includes('\0')) return new ErrorValue('invalid argument');
    const format = this.#formatOf(zone);
    return format === undefined ? new ErrorValue(`unknown time zone ${zone}`) : wallSecondsIn(format, seconds);
  }

  #formatOf(zone: string): Intl.DateTimeFormat | undefined {
    if (!TIME_ZONE_NAMES.has(zone)) return undefined;
    let format = this.#formats.get(zone);
    if (format === undefined) {
      format = newFormat(zone);
      this.#formats.set(zone, format);
    }
    return format;
  }
}

function newFormat(timeZone: string): Intl.DateTimeFormat | undefined {
  const numeric = 'numeric' as const;
  const fields = { year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric, second: numeric };
  try {
    return new Intl.DateTimeFormat('en-US', {
      ...fields,
      era: 'short',
      hourCycle: 'h23',
      calendar: 'gregory',
      timeZone,
    });
  } catch {
    return undefined;
  }
}

function wallSecondsIn(format: Intl.DateTimeFormat, seconds: number): WallSeconds {
  const part: Record<string, string> = {};
  for (const { type, value } of format.formatToParts(seconds * 1000)) part[type] = value;
  const year = part['era']?.startsWith('B') ? 1 - Number(part['year']) : Number(part['year']);
  const date = new Date(0);
  date.setUTCFullYear(year, Number(part['month']) - 1, Number(part['day']));
  const timeOfDay = Number(part['hour']) * 3600 + Number(part['minute']) * 60 + Number(part['second']);
  return Math.round(date.getTime() / 1000 / SECONDS_PER_DAY) * SECONDS_PER_DAY + timeOfDay;
}

/** cel-go `inTimeZone`: hours and minutes may be any integers; minutes are negative only after a leading minus. */
function fixedOffset(zone: string, colon: number): number | ErrorValue {
  const hours = atoi(zone.slice(0, colon));
  if (hours instanceof ErrorValue) return hours;
  const minutes = atoi(zone.slice(colon + 1));
  if (minutes instanceof ErrorValue) return minutes;
  const offset = zone.startsWith('-') ? hours * 60n - minutes : hours * 60n + minutes;
  // Go multiplies in int64.
  return Number(BigInt.asIntN(64, BigInt.asIntN(64, offset) * 60_000_000_000n) / 1_000_000_000n);
}

function atoi(text: string): bigint | ErrorValue {
  if (!/^[+-]?[0-9]+$/.test(text)) return new ErrorValue(`strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`);
  const digits = text.replace(/^[+-]?0*/, '');
  const value = digits.length > 19 ? 1n << 64n : BigInt(digits || '0') * (text.startsWith('-') ? -1n : 1n);
  if (BigInt.asIntN(64, value) === value) return value;
  return new ErrorValue(`strconv.Atoi: parsing ${goQuote(text)}: value out of range`);
}
