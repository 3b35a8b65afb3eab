// Reads a pattern, and keeps the first error and the expanded copy.
import type { RegexError } from './regex-error.ts';

/** Positions are UTF-16 offsets in `text`. After a failure, the position is the end. */
export class PatternReader {
  readonly text: string;
  position = 0;
  #error: RegexError | undefined;
  #expanded = '';
  #copiedTo = 0;

  constructor(text: string) {
    this.text = text;
  }

  get error(): RegexError | undefined {
    return this.#error;
  }

  get atEnd(): boolean {
    return this.position >= this.text.length;
  }

  looksAt(text: string): boolean {
    return this.text.startsWith(text, this.position);
  }

  /** Consumes the next code point, as a string; empty at the end. */
  take(): string {
    const codePoint = this.text.codePointAt(this.position);
    if (codePoint === undefined) return '';
    const character = String.fromCodePoint(codePoint);
    this.position += character.length;
    return character;
  }

  since(start: number): string {
    return this.text.slice(start, this.position);
  }

  fail(reason: string, expression: string): undefined {
    this.giveUp({ error: `error parsing regexp: ${reason}: \`${expression}\`` });
  }

  giveUp(error: RegexError): void {
    this.#error ??= error;
    this.position = this.text.length;
  }

  /** Replaces the text since `start` in the expanded copy. */
  replaceSince(start: number, replacement: string): void {
    this.#expanded += this.text.slice(this.#copiedTo, start) + replacement;
    this.#copiedTo = this.position;
  }

  expanded(): string {
    return this.#expanded + this.text.slice(this.#copiedTo);
  }

  /** Parses an escape for one character; the reader must be at the backslash. */
  takeEscape(): number | undefined {
    const start = this.position;
    this.position++;
    if (this.atEnd) return this.fail('trailing backslash at end of expression', '');
    const character = this.take();
    if (/^[0-7]$/.test(character)) {
      // A single digit other than zero would be a back-reference.
      if (character === '0' || /^[0-7]$/.test(this.text.charAt(this.position))) return this.#takeOctal(start);
    } else if (character === 'x') {
      const codePoint = this.looksAt('{') ? this.#takeBracedHex() : this.#takeTwoHexDigits();
      if (codePoint !== undefined) return codePoint;
    } else if (Object.hasOwn(CONTROL_ESCAPES, character)) {
      return CONTROL_ESCAPES[character];
    } else if (/^[^0-9A-Za-z\u0080-\u{10ffff}]$/u.test(character)) {
      return character.codePointAt(0);
    }
    return this.fail('invalid escape sequence', this.since(start));
  }

  /** At most three digits, of which the first is already consumed. */
  #takeOctal(start: number): number {
    while (this.position < start + 4 && /^[0-7]$/.test(this.text.charAt(this.position))) this.position++;
    return Number.parseInt(this.text.slice(start + 1, this.position), 8);
  }

  #takeTwoHexDigits(): number | undefined {
    const first = this.take();
    const second = this.take();
    return isHexDigit(first) && isHexDigit(second) ? Number.parseInt(first + second, 16) : undefined;
  }

  #takeBracedHex(): number | undefined {
    this.position++;
    let codePoint: number | undefined;
    while (!this.atEnd) {
      const character = this.take();
      if (character === '}') return codePoint;
      if (!isHexDigit(character)) return undefined;
      codePoint = (codePoint ?? 0) * 16 + Number.parseInt(character, 16);
      if (codePoint > 0x10ffff) return undefined;
    }
    return undefined;
  }
}

const CONTROL_ESCAPES: Readonly<Record<string, number>> = { a: 0x07, f: 0x0c, n: 0x0a, r: 0x0d, t: 0x09, v: 0x0b };

function isHexDigit(character: string): boolean {
  return /^[0-9A-Fa-f]$/.test(character);
}
