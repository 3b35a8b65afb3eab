// Reads `${name}` expressions token by token (fluxcd/pkg/envsubst `parse/scan.go`), from a byte string.

/** Which tokens a scan may return. */
export interface ScanMode {
  readonly word?: true;
  readonly open?: true;
  readonly close?: true;
  readonly escapes?: true;
}

type ScannedToken = 'illegal' | 'end' | 'word' | 'open' | 'close';

/** `index`: the number of bytes of the token so far. */
export type Accept = (character: string, index: number) => boolean;

/** A character is one byte, or all bytes of one code point. NUL ends the text. */
export class SubstitutionScanner {
  readonly bytes: string;
  position = 0;
  /** The last word, without the characters that escape others. */
  word = '';
  /** A backslash also escapes, within an expression. */
  hasBackslashes = false;
  #width = 0;

  constructor(bytes: string) {
    this.bytes = bytes;
  }

  read(): string {
    if (this.position >= this.bytes.length) {
      this.#width = 0;
      return END;
    }
    this.#width = runeLength(this.bytes, this.position);
    const character = this.bytes.slice(this.position, this.position + this.#width);
    this.position += this.#width;
    return character;
  }

  /** Goes back by the length of the character that was read or peeked last. */
  unread(): void {
    this.position -= this.#width;
  }

  peek(): string {
    const character = this.read();
    this.unread();
    return character;
  }

  scan(mode: ScanMode, accept: Accept): ScannedToken {
    const start = this.position;
    const character = this.read();
    if (character === END) return 'end';
    if (mode.open && this.#opens(character)) return 'open';
    if (mode.close && character === '}') return 'close';
    return mode.word && this.#scanWord(start, character, mode, accept) ? 'word' : 'illegal';
  }

  #scanWord(start: number, first: string, mode: ScanMode, accept: Accept): boolean {
    let kept = start;
    const parts: string[] = [];
    const skip = (): void => {
      parts.push(this.bytes.slice(kept, this.position - 1));
      kept = this.position;
      this.position++;
    };
    let skipped = 0;
    if (this.#isEscape(first, mode)) {
      skip();
      skipped++;
    } else if (!accept(first, this.position - start)) return false;
    for (;;) {
      const character = this.read();
      if (character === END) {
        this.unread();
        break;
      }
      if (mode.open && this.#opens(character)) {
        this.position -= 2;
        break;
      }
      if (this.#isEscape(character, mode)) {
        skip();
        skipped++;
        continue;
      }
      if (accept(character, this.position - start - skipped)) continue;
      this.unread();
      break;
    }
    parts.push(this.bytes.slice(kept, this.position));
    this.word = parts.join('');
    return true;
  }

  #opens(character: string): boolean {
    if (character !== '$') return false;
    if (this.read() === '{') return true;
    this.unread();
    return false;
  }

  #isEscape(character: string, mode: ScanMode): boolean {
    if (!mode.escapes) return false;
    if (character === '$') return this.peek() === '$';
    return character === '\\' && this.hasBackslashes && ['/', '\\'].includes(this.peek());
  }
}

const END = '\0';

/** A byte that starts no well-formed sequence is a character of its own. */
export function runeLength(bytes: string, at: number): number {
  const lead = bytes.charCodeAt(at);
  const length = lead < 0xc2 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1;
  for (let index = 1; index < length; index++) {
    if ((bytes.charCodeAt(at + index) & 0xc0) !== 0x80) return 1;
  }
  return length;
}
