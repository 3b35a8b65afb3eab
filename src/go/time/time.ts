// Parses and formats times in the layouts of the API, like Go's time package, with its error texts.
import { toByteString } from '../strings/byte-string.ts';
import { civilFromDays, daysFromCivil, daysInMonth, SECONDS_PER_DAY } from './calendar.ts';

/** Seconds since 1970, and additional nanoseconds. */
export interface Instant {
  readonly seconds: number;
  readonly nanos: number;
}

export const RFC3339 = '2006-01-02T15:04:05Z07:00';
/** Requires exactly six fractional digits. */
export const RFC3339_MICRO = '2006-01-02T15:04:05.000000Z07:00';

/** Without a zone; UTC. */
export const LOCAL_TIME = '2006-01-02T15:04:05';

/** Midnight, UTC. */
export const FULL_DATE = '2006-01-02';

type TimeLayout = typeof RFC3339 | typeof RFC3339_MICRO | typeof LOCAL_TIME;
type Layout = TimeLayout | typeof FULL_DATE;

/** Go's zero `time.Time`; the API omits it or writes null. */
const ZERO_SECONDS = -62_135_596_800;

const ASCII = /^[\0-\x7f]*$/;

export function isZeroTime({ seconds, nanos }: Instant): boolean {
  return seconds === ZERO_SECONDS && nanos === 0;
}

/** `time.Parse`. */
export function parseTime(text: string, layout: Layout): Instant | { readonly error: string } {
  const value = ASCII.test(text) ? text : toByteString(text);
  try {
    return new TimeReader(value, layout).read();
  } catch (error) {
    if (error instanceof TimeParseError) return { error: error.message };
    throw error;
  }
}

/** In UTC; fractions are truncated. */
export function formatTime({ seconds, nanos }: Instant, layout: TimeLayout): string {
  const days = Math.floor(seconds / SECONDS_PER_DAY);
  const second = seconds - days * SECONDS_PER_DAY;
  const { year, month, day } = civilFromDays(days);
  const date = `${year < 0 ? '-' : ''}${pad(Math.abs(year), 4)}-${pad(month, 2)}-${pad(day, 2)}`;
  const time = [Math.floor(second / 3600), Math.floor(second / 60) % 60, second % 60].map((part) => pad(part, 2));
  const fraction = layout === RFC3339 ? '' : `.${pad(Math.floor(nanos / 1000), 6)}`;
  return `${date}T${time.join(':')}${fraction}Z`;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

class TimeParseError extends Error {}

/** Parses the elements of the layout in one pass, like `parse` in Go's time/format.go. */
class TimeReader {
  readonly #text: string;
  readonly #layout: Layout;
  #rest: string;

  constructor(text: string, layout: Layout) {
    this.#text = text;
    this.#layout = layout;
    this.#rest = text;
  }

  read(): Instant {
    const year = this.#year();
    this.#separator('-');
    const month = this.#twoDigits('01');
    if (month < 1 || month > 12) this.#outOfRange('month');
    this.#separator('-');
    const day = this.#twoDigits('02');
    const { seconds, nanos } = this.#layout === FULL_DATE ? { seconds: 0, nanos: 0 } : this.#timeOfDay();
    if (this.#rest !== '') throw this.#error(`: extra text: ${quoteTime(this.#rest)}`);
    if (day < 1 || day > daysInMonth(year, month)) this.#outOfRange('day');
    return { seconds: daysFromCivil({ year, month, day }) * SECONDS_PER_DAY + seconds, nanos };
  }

  /** Time since midnight, UTC. */
  #timeOfDay(): Instant {
    this.#separator('T');
    const hour = this.#hour();
    this.#separator(':');
    const minute = this.#twoDigits('04');
    if (minute > 59) this.#outOfRange('minute');
    this.#separator(':');
    const second = this.#twoDigits('05');
    if (second > 59) this.#outOfRange('second');
    const nanos = this.#layout === RFC3339_MICRO ? this.#microseconds() : this.#optionalFraction();
    const offset = this.#layout === LOCAL_TIME ? 0 : this.#offset();
    return { seconds: hour * 3600 + minute * 60 + second - offset, nanos };
  }

  #year(): number {
    const digits = /^\d{4}/.exec(this.#rest)?.[0];
    if (digits === undefined) throw this.#unexpected('2006');
    this.#rest = this.#rest.slice(4);
    return Number(digits);
  }

  #twoDigits(element: string): number {
    const digits = /^\d\d/.exec(this.#rest)?.[0];
    if (digits === undefined) throw this.#unexpected(element);
    this.#rest = this.#rest.slice(2);
    return Number(digits);
  }

  /** The only element that may have one digit. */
  #hour(): number {
    const digits = /^\d\d?/.exec(this.#rest)?.[0];
    if (digits === undefined) throw this.#unexpected('15');
    this.#rest = this.#rest.slice(digits.length);
    if (Number(digits) > 23) this.#outOfRange('hour');
    return Number(digits);
  }

  #separator(separator: string): void {
    if (!this.#rest.startsWith(separator)) throw this.#unexpected(separator);
    this.#rest = this.#rest.slice(1);
  }

  #optionalFraction(): number {
    const fraction = /^[.,]\d+/.exec(this.#rest)?.[0] ?? '';
    this.#rest = this.#rest.slice(fraction.length);
    return Number(fraction.slice(1, 10).padEnd(9, '0'));
  }

  #microseconds(): number {
    const fraction = /^[.,]\d{6}/.exec(this.#rest)?.[0];
    if (fraction === undefined) throw this.#unexpected('.000000');
    this.#rest = this.#rest.slice(7);
    return Number(fraction.slice(1)) * 1000;
  }

  /** Seconds east of UTC. */
  #offset(): number {
    if (this.#rest.startsWith('Z')) {
      this.#rest = this.#rest.slice(1);
      return 0;
    }
    const rest = this.#rest;
    const match = /^(.)(\d\d):(\d\d)/s.exec(rest);
    if (match === null) throw this.#unexpected('Z07:00');
    this.#rest = rest.slice(6);
    const [hours, minutes] = [Number(match[2]), Number(match[3])];
    if (minutes > 60) this.#outOfRange('time zone offset minute');
    if (hours > 24) this.#outOfRange('time zone offset hour');
    if (match[1] !== '+' && match[1] !== '-') {
      this.#rest = rest;
      throw this.#unexpected('Z07:00');
    }
    return (hours * 60 + minutes) * 60 * (match[1] === '-' ? -1 : 1);
  }

  #outOfRange(what: string): never {
    throw this.#error(`: ${what} out of range`);
  }

  #unexpected(element: string): TimeParseError {
    const layout = quoteTime(this.#layout);
    return this.#error(` as ${layout}: cannot parse ${quoteTime(this.#rest)} as ${quoteTime(element)}`);
  }

  #error(message: string): TimeParseError {
    return new TimeParseError(`parsing time ${quoteTime(this.#text)}${message}`);
  }
}

/** The time package has its own quoting: everything except printable ASCII appears as bytes. */
export function quoteTime(bytes: string): string {
  let quoted = '"';
  for (const character of bytes) {
    const code = character.charCodeAt(0);
    if (code < 0x20 || code >= 0x80) quoted += `\\x${code.toString(16).padStart(2, '0')}`;
    else quoted += character === '"' || character === '\\' ? `\\${character}` : character;
  }
  return `${quoted}"`;
}
