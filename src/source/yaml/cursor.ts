// The position of a YAML scanner in its text: libyaml's line and column counts, and the first problem.
import { BYTE_ORDER_MARK, CARRIAGE_RETURN, isBlankOrEnd, isBreak, LINE_FEED } from './character.ts';

/** Why a text is not YAML, in go-yaml's words. */
export interface YamlProblem {
  /** go-yaml's text without `yaml: ` and without the line. */
  readonly message: string;
  /** The line that go-yaml prints, or 0 if it prints none. For parser errors it is one less than the actual line. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
  /** The construct being read (`while parsing a block mapping`) and its start. */
  readonly context: { readonly message: string; readonly start: number } | undefined;
}

export class Cursor {
  /** The document, terminated by NUL. */
  readonly text: string;
  /** Whether scalars record how their value was built. */
  readonly recordPieces: boolean;
  position = 0;
  /** 0-based. */
  line = 0;
  lineStart = 0;
  problem: YamlProblem | undefined = undefined;
  readonly #hasPairs: boolean;
  #countedTo = 0;
  #countedPairs = 0;
  #countedLine = -1;

  constructor(text: string, recordPieces: boolean) {
    this.text = text;
    this.recordPieces = recordPieces;
    this.#hasPairs = /[\ud800-\udbff]/.test(text);
    // A byte-order mark is not part of the text.
    if (text.charCodeAt(0) === BYTE_ORDER_MARK) this.position = this.lineStart = 1;
  }

  /** Characters (code points) between the start of the line and the cursor. */
  get column(): number {
    const units = this.position - this.lineStart;
    if (!this.#hasPairs) return units;
    if (this.#countedLine !== this.lineStart || this.#countedTo > this.position) {
      this.#countedLine = this.lineStart;
      this.#countedTo = this.lineStart;
      this.#countedPairs = 0;
    }
    this.#countedPairs += countPairs(this.text, this.#countedTo, this.position);
    this.#countedTo = this.position;
    return units - this.#countedPairs;
  }

  /** True if the cursor is more than `limit` characters past an offset on the same line. */
  isBeyond(start: number, limit: number): boolean {
    const units = this.position - start;
    if (units <= limit || !this.#hasPairs) return units > limit;
    return units > 2 * limit || units - countPairs(this.text, start, this.position) > limit;
  }

  /** Moves past one line break; CR LF is one break. No effect elsewhere. */
  skipBreak(): void {
    const code = this.text.charCodeAt(this.position);
    if (!isBreak(code)) return;
    const pair = code === CARRIAGE_RETURN && this.text.charCodeAt(this.position + 1) === LINE_FEED;
    this.position += pair ? 2 : 1;
    this.line++;
    this.lineStart = this.position;
  }

  /** Text that the break at the cursor adds to a scalar: LS and PS are kept, all others become LF (`read_line`). */
  breakText(): string {
    const code = this.text.charCodeAt(this.position);
    return code === 0x2028 || code === 0x2029 ? String.fromCharCode(code) : '\n';
  }

  /** True at the start of a line that begins with `---` or `...` followed by white space or the end. */
  atDocumentIndicator(): boolean {
    const { text, position } = this;
    if (position !== this.lineStart) return false;
    const code = text.charCodeAt(position);
    return (
      (code === 0x2d || code === 0x2e) &&
      text.charCodeAt(position + 1) === code &&
      text.charCodeAt(position + 2) === code &&
      isBlankOrEnd(text.charCodeAt(position + 3))
    );
  }

  /** Records the first problem of the scanner at the cursor; later problems are consequences. go-yaml prints 1-based lines here. */
  fail(message: string, context: string, contextStart: number): undefined {
    const line = this.line === 0 ? 0 : this.line + 1;
    this.problem ??= {
      message,
      line,
      start: this.position,
      end: this.position + 1,
      context: context === '' ? undefined : { message: context, start: contextStart },
    };
    return undefined;
  }
}

function countPairs(text: string, start: number, end: number): number {
  let pairs = 0;
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0xd800 && code < 0xdc00) pairs++;
  }
  return pairs;
}
