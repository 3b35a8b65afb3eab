// Decides whether go-yaml reads a text as a timestamp (`resolve.go: parseTimestamp`, Go's `time.Parse`).

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * Accepts `2006-1-2`, `2006-1-2 15:4:5` and `2006-1-2T15:4:5Z07:00` (also with `t`), with optional fractional seconds.
 * Month, day, hour, minute and second take one or two digits.
 */
export function isTimestamp(text: string): boolean {
  const reader = new TimestampReader(text);
  if (!reader.date()) return false;
  if (reader.atEnd) return true;
  if (reader.take('T') || reader.take('t')) return reader.time() && reader.zone() && reader.atEnd;
  return reader.spaces() && reader.time() && reader.atEnd;
}

class TimestampReader {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get atEnd(): boolean {
    return this.#position === this.#text.length;
  }

  date(): boolean {
    const year = this.#number(4, 4);
    if (year === undefined || !this.take('-')) return false;
    const month = this.#number(1, 2);
    if (month === undefined || month < 1 || month > 12 || !this.take('-')) return false;
    const day = this.#number(1, 2);
    if (day === undefined) return false;
    const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    return day >= 1 && day <= (month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0));
  }

  /** Accepts an optional fraction of any length after a dot or comma. */
  time(): boolean {
    const hour = this.#number(1, 2);
    if (hour === undefined || hour > 23 || !this.take(':')) return false;
    const minute = this.#number(1, 2);
    if (minute === undefined || minute > 59 || !this.take(':')) return false;
    const second = this.#number(1, 2);
    if (second === undefined || second > 59) return false;
    const mark = this.#position;
    if ((this.take('.') || this.take(',')) && this.#digits(Number.POSITIVE_INFINITY) === 0) this.#position = mark;
    return true;
  }

  /** `Z`, or a sign, two digits for hours, a colon and two digits for minutes. */
  zone(): boolean {
    if (this.take('Z')) return true;
    if (!this.take('+') && !this.take('-')) return false;
    const hours = this.#number(2, 2);
    if (hours === undefined || hours > 24 || !this.take(':')) return false;
    const minutes = this.#number(2, 2);
    return minutes !== undefined && minutes <= 60;
  }

  spaces(): boolean {
    if (!this.take(' ')) return false;
    while (this.take(' '));
    return true;
  }

  take(character: string): boolean {
    if (this.#text.charAt(this.#position) !== character) return false;
    this.#position++;
    return true;
  }

  #number(least: number, most: number): number | undefined {
    const start = this.#position;
    return this.#digits(most) < least ? undefined : Number(this.#text.slice(start, this.#position));
  }

  #digits(most: number): number {
    const start = this.#position;
    while (this.#position - start < most && /[0-9]/.test(this.#text.charAt(this.#position))) this.#position++;
    return this.#position - start;
  }
}
