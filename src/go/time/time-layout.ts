// Parses times in any layout like Go's `time.Parse` (`time/format.go`), with UTC as the local zone.
import { toByteString } from '../strings/byte-string.ts';
import { civilFromDays, daysFromCivil, daysInMonth, isLeapYear, SECONDS_PER_DAY } from './calendar.ts';
import { quoteTime } from './quote-time.ts';
import { FULL_DATE, LOCAL_TIME, RFC3339, RFC3339_MICRO, type ZonedTime } from './time.ts';

const LONG_MONTHS = 'January February March April May June July August September October November December'.split(' ');
const LONG_DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const shortened = (name: string): string => name.slice(0, 3);

/** The elements of a layout; longer ones precede their prefixes. */
const CHUNKS = [
  'January',
  'Monday',
  'MST',
  '002',
  '01',
  '02',
  '03',
  '04',
  '05',
  '06',
  '15',
  '1',
  '2006',
  '2',
  '_2006',
  '_2',
  '__2',
  '3',
  '4',
  '5',
  'PM',
  'pm',
  '-070000',
  '-07:00:00',
  '-0700',
  '-07:00',
  '-07',
  'Z070000',
  'Z07:00:00',
  'Z0700',
  'Z07:00',
  'Z07',
] as const;

interface Chunk {
  readonly prefix: string;
  readonly text: string;
}

/** The elements of a layout, and the text after the last one. */
interface Layout {
  readonly text: string;
  readonly chunks: readonly Chunk[];
  readonly suffix: string;
}

function readLayout(text: string): Layout {
  const chunks: Chunk[] = [];
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const chunk = chunkAt(text, at);
    if (chunk === undefined) {
      at++;
      continue;
    }
    // `_2006` is a literal `_` followed by a year.
    const start = chunk === '_2006' ? at + 1 : at;
    chunks.push({ prefix: text.slice(from, start), text: chunk === '_2006' ? '2006' : chunk });
    at += chunk.length;
    from = at;
  }
  return { text, chunks, suffix: text.slice(from) };
}

function chunkAt(text: string, at: number): string | undefined {
  for (const name of ['Jan', 'Mon'] as const) {
    if (!text.startsWith(name, at)) continue;
    const long = name === 'Jan' ? 'January' : 'Monday';
    if (text.startsWith(long, at)) return long;
    return /[a-z]/.test(text.charAt(at + 3)) ? undefined : name;
  }
  const fraction = /^[.,](0+|9+)(?![0-9])/.exec(text.slice(at, at + 64));
  if (fraction !== null) return fraction[0];
  return CHUNKS.find((chunk) => text.startsWith(chunk, at));
}

class TimeParseError extends Error {}

/** The layouts of the API, which are read once. */
const KNOWN = new Map(
  [RFC3339, RFC3339_MICRO, LOCAL_TIME, FULL_DATE].map((layout) => [layout as string, readLayout(layout)]),
);

/** `time.Parse`. */
export function parseTime(layoutText: string, text: string): ZonedTime | { readonly error: string } {
  const layout = KNOWN.get(layoutText) ?? readLayout(toByteString(layoutText));
  try {
    return new LayoutReader(layout, toByteString(text)).read();
  } catch (error) {
    if (error instanceof TimeParseError) return { error: error.message };
    throw error;
  }
}

class LayoutReader {
  readonly #layout: Layout;
  readonly #text: string;
  #rest: string;
  #year = 0;
  #month = -1;
  #day = -1;
  #dayOfYear = -1;
  #hour = 0;
  #minute = 0;
  #second = 0;
  #nanos = 0;
  #isMorning = false;
  #isAfternoon = false;
  #offset: number | undefined;
  #isUtc = false;
  #zone = '';

  constructor(layout: Layout, text: string) {
    this.#layout = layout;
    this.#text = text;
    this.#rest = text;
  }

  read(): ZonedTime {
    const { chunks, suffix } = this.#layout;
    chunks.forEach((chunk, index) => {
      this.#skip(chunk.prefix);
      const before = this.#rest;
      const problem = this.#take(chunk.text, chunks[index + 1]);
      if (problem === 'bad') throw this.#unexpected(before, chunk.text);
      if (problem !== undefined) throw this.#error(`: ${problem} out of range`);
    });
    this.#skip(suffix);
    if (this.#rest !== '') throw this.#error(`: extra text: ${quoteTime(this.#rest)}`);
    return this.#assemble();
  }

  #error(message: string): TimeParseError {
    return new TimeParseError(`parsing time ${quoteTime(this.#text)}${message}`);
  }

  #unexpected(rest: string, element: string): TimeParseError {
    return this.#error(` as ${quoteTime(this.#layout.text)}: cannot parse ${quoteTime(rest)} as ${quoteTime(element)}`);
  }

  /** A blank in the layout matches any number of blanks, or none at the end. */
  #skip(prefix: string): void {
    let expected = prefix;
    while (expected !== '') {
      if (expected.startsWith(' ')) {
        if (this.#rest !== '' && !this.#rest.startsWith(' ')) throw this.#unexpected(this.#rest, prefix);
        expected = expected.replace(/^ +/, '');
        this.#rest = this.#rest.replace(/^ +/, '');
      } else {
        if (this.#rest.charAt(0) !== expected.charAt(0)) throw this.#unexpected(this.#rest, prefix);
        expected = expected.slice(1);
        this.#rest = this.#rest.slice(1);
      }
    }
  }

  /** Returns `bad`, the name of an element that is out of range, or undefined. */
  #take(chunk: string, next: Chunk | undefined): string | undefined {
    switch (chunk) {
      case '06':
        return this.#shortYear();
      case '2006': {
        const digits = this.#rest.slice(0, 4);
        if (!/^[0-9]{4}$/.test(digits)) return 'bad';
        this.#year = Number(digits);
        this.#rest = this.#rest.slice(4);
        return undefined;
      }
      case 'Jan':
        this.#month = this.#name(LONG_MONTHS.map(shortened)) + 1;
        return this.#month === 0 ? 'bad' : undefined;
      case 'January':
        this.#month = this.#name(LONG_MONTHS) + 1;
        return this.#month === 0 ? 'bad' : undefined;
      case 'Mon':
        return this.#name(LONG_DAYS.map(shortened)) < 0 ? 'bad' : undefined;
      case 'Monday':
        return this.#name(LONG_DAYS) < 0 ? 'bad' : undefined;
      case '1':
      case '01': {
        const month = this.#number(chunk === '01');
        if (month === undefined) return 'bad';
        this.#month = month;
        return month < 1 || month > 12 ? 'month' : undefined;
      }
      case '2':
      case '02':
      case '_2': {
        if (chunk === '_2' && this.#rest.startsWith(' ')) this.#rest = this.#rest.slice(1);
        const day = this.#number(chunk === '02');
        if (day === undefined) return 'bad';
        this.#day = day;
        return undefined;
      }
      case '002':
      case '__2':
        return this.#yearDay(chunk === '002');
      case '15':
      case '3':
      case '03': {
        const hour = this.#number(chunk === '03');
        if (hour === undefined) return 'bad';
        this.#hour = hour;
        return hour > (chunk === '15' ? 23 : 12) ? 'hour' : undefined;
      }
      case '4':
      case '04': {
        const minute = this.#number(chunk === '04');
        if (minute === undefined) return 'bad';
        this.#minute = minute;
        return minute > 59 ? 'minute' : undefined;
      }
      case '5':
      case '05':
        return this.#seconds(chunk === '05', next);
      case 'PM':
      case 'pm': {
        const written = this.#rest.slice(0, 2);
        this.#rest = this.#rest.slice(2);
        if (written !== chunk && written !== (chunk === 'PM' ? 'AM' : 'am')) return 'bad';
        // A layout may have several of these.
        if (written === chunk) this.#isAfternoon = true;
        else this.#isMorning = true;
        return undefined;
      }
      case 'MST':
        return this.#zoneName();
      default:
        return /^[.,]/.test(chunk) ? this.#fraction(chunk) : this.#zoneOffset(chunk);
    }
  }

  #shortYear(): string | undefined {
    const written = this.#rest.slice(0, 2);
    if (!/^(?:[0-9]{2}|[-+][0-9])$/.test(written)) return 'bad';
    const year = Number(written);
    this.#year = year >= 69 ? year + 1900 : year + 2000;
    this.#rest = this.#rest.slice(2);
    return undefined;
  }

  /** Index of the name at the start of the text, ignoring case; -1 if there is none. */
  #name(names: readonly string[]): number {
    const index = names.findIndex((name) => this.#rest.slice(0, name.length).toLowerCase() === name.toLowerCase());
    this.#rest = this.#rest.slice(names[index]?.length ?? 0);
    return index;
  }

  /** One or two digits. */
  #number(isFixed: boolean): number | undefined {
    const digits = (isFixed ? /^[0-9]{2}/ : /^[0-9]{1,2}/).exec(this.#rest)?.[0];
    if (digits === undefined) return undefined;
    this.#rest = this.#rest.slice(digits.length);
    return Number(digits);
  }

  #yearDay(isFixed: boolean): string | undefined {
    if (!isFixed) this.#rest = this.#rest.replace(/^ {0,2}/, '');
    const digits = (isFixed ? /^[0-9]{3}/ : /^[0-9]{1,3}/).exec(this.#rest)?.[0];
    if (digits === undefined) return 'bad';
    this.#dayOfYear = Number(digits);
    this.#rest = this.#rest.slice(digits.length);
    return undefined;
  }

  /** A fraction may follow even if the layout has none. */
  #seconds(isFixed: boolean, next: Chunk | undefined): string | undefined {
    const second = this.#number(isFixed);
    if (second === undefined) return 'bad';
    this.#second = second;
    if (second > 59) return 'second';
    const isToldOf = next !== undefined && /^[.,]/.test(next.text);
    const fraction = isToldOf ? null : /^[.,][0-9]+/.exec(this.#rest);
    if (fraction !== null) this.#takeNanos(fraction[0]);
    return undefined;
  }

  #takeNanos(written: string): void {
    this.#nanos = Number(written.slice(1, 10).padEnd(9, '0'));
    this.#rest = this.#rest.slice(written.length);
  }

  #fraction(chunk: string): string | undefined {
    if (chunk.charAt(1) === '9') {
      const written = /^[.,][0-9]+/.exec(this.#rest)?.[0];
      if (written !== undefined) this.#takeNanos(written);
      return undefined;
    }
    const written = this.#rest.slice(0, chunk.length);
    if (written.length < chunk.length || !/^[.,][0-9]+$/.test(written)) return 'bad';
    this.#takeNanos(written);
    return undefined;
  }

  #zoneName(): string | undefined {
    if (this.#rest.startsWith('UTC')) {
      this.#isUtc = true;
      this.#rest = this.#rest.slice(3);
      return undefined;
    }
    const length = zoneNameLength(this.#rest);
    if (length === 0) return 'bad';
    this.#zone = this.#rest.slice(0, length);
    this.#rest = this.#rest.slice(length);
    return undefined;
  }

  #zoneOffset(chunk: string): string | undefined {
    if (chunk.startsWith('Z') && this.#rest.startsWith('Z')) {
      this.#isUtc = true;
      this.#rest = this.#rest.slice(1);
      return undefined;
    }
    const written = this.#rest.slice(0, chunk.length);
    if (written.length < chunk.length) return 'bad';
    this.#rest = this.#rest.slice(chunk.length);
    if (chunk.includes(':') && (written.charAt(3) !== ':' || (chunk.length === 9 && written.charAt(6) !== ':'))) {
      return 'bad';
    }
    const step = chunk.includes(':') ? 3 : 2;
    const [hours, minutes, seconds] = [0, 1, 2].map((index) => {
      const part = written.slice(1 + index * step, 3 + index * step);
      return part === '' ? 0 : /^[0-9]{2}$/.test(part) ? Number(part) : -1;
    }) as [number, number, number];
    // The last part that is out of range is reported, and none after a part that is not a number.
    if (hours >= 0 && minutes >= 0 && seconds > 60) return 'time zone offset second';
    if (hours >= 0 && minutes > 60) return 'time zone offset minute';
    if (hours > 24) return 'time zone offset hour';
    const sign = written.charAt(0);
    if (hours < 0 || minutes < 0 || seconds < 0 || (sign !== '+' && sign !== '-')) return 'bad';
    const offset = (hours * 60 + minutes) * 60 + seconds;
    this.#offset = sign === '-' ? -offset : offset;
    return undefined;
  }

  #assemble(): ZonedTime {
    if (this.#isAfternoon && this.#hour < 12) this.#hour += 12;
    else if (this.#isMorning && this.#hour === 12) this.#hour = 0;
    if (this.#dayOfYear >= 0) this.#applyYearDay();
    const month = this.#month < 0 ? 1 : this.#month;
    const day = this.#day < 0 ? 1 : this.#day;
    if (day < 1 || day > daysInMonth(this.#year, month)) throw this.#error(': day out of range');
    const days = daysFromCivil({ year: this.#year, month, day });
    const local = days * SECONDS_PER_DAY + this.#hour * 3600 + this.#minute * 60 + this.#second;
    if (this.#isUtc) return { seconds: local, nanos: this.#nanos, offset: 0 };
    // Go marks a missing offset with -1, and therefore ignores an offset of one second west.
    if (this.#offset !== undefined && this.#offset !== -1) {
      return { seconds: local - this.#offset, nanos: this.#nanos, offset: this.#offset };
    }
    const gmt = /^GMT([-+][0-9]+)$/.exec(this.#zone);
    // Go does not know the zone: it reads the time as UTC, and names the zone with this offset.
    const offset = gmt === null ? 0 : Number(gmt[1]) * 3600;
    return { seconds: local, nanos: this.#nanos, offset };
  }

  #applyYearDay(): void {
    const isLeap = isLeapYear(this.#year);
    if (this.#dayOfYear < 1 || this.#dayOfYear > (isLeap ? 366 : 365)) {
      throw this.#error(': day-of-year out of range');
    }
    const first = daysFromCivil({ year: this.#year, month: 1, day: 1 });
    const { month, day } = civilFromDays(first + this.#dayOfYear - 1);
    if (this.#month >= 0 && this.#month !== month) throw this.#error(': day-of-year does not match month');
    if (this.#day >= 0 && this.#day !== day) throw this.#error(': day-of-year does not match day');
    this.#month = month;
    this.#day = day;
  }
}

/** Go `parseTimeZone`: length of a text that looks like a zone abbreviation. */
function zoneNameLength(text: string): number {
  if (text.length < 3) return 0;
  if (text.startsWith('ChST') || text.startsWith('MeST')) return 4;
  if (text.startsWith('GMT')) return 3 + signedOffsetLength(text.slice(3));
  if (/^[-+]/.test(text)) return signedOffsetLength(text);
  const capitals = /^[A-Z]{0,6}/.exec(text)?.[0] ?? '';
  if (capitals.length === 5 && capitals.endsWith('T')) return 5;
  if (capitals.length === 4 && (capitals.endsWith('T') || capitals === 'WITA')) return 4;
  return capitals.length === 3 ? 3 : 0;
}

function signedOffsetLength(text: string): number {
  const written = /^[-+]([0-9]+)/.exec(text);
  return written === null || Number(written[1]) > 23 ? 0 : written[0].length;
}
