// One text of the repository: the sole owner of its characters and of the way from offsets to lines.

/** Half-open range of UTF-16 offsets into a file's text. */
export interface SourceRange {
  readonly start: number;
  readonly end: number;
}

/** A range in a file; what diagnostics and findings carry until the moment of output. */
export interface SourceLocation {
  readonly file: SourceFile;
  readonly range: SourceRange;
}

/** A place that is looked for when somebody asks for it, and once. */
export function locationFoundBy(find: () => SourceLocation): SourceLocation {
  let found: SourceLocation | undefined;
  const location = (): SourceLocation => {
    found ??= find();
    return found;
  };
  return {
    get file() {
      return location().file;
    },
    get range() {
      return location().range;
    },
  };
}

/** Made only for output: line and column count from 1, columns in code points. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** UTF-16 units between two marks of code points: what is counted at most for one column. */
const MARK_DISTANCE = 1024;

/** A text and what it is called. Everything that is found in it is told by this path. */
export class SourceFile {
  /** Path from the repository root, always with `/`. */
  readonly path: string;
  /** The decoded text, byte-order mark included if the file has one. */
  readonly text: string;
  #lineStarts: readonly number[] | undefined;
  /** Code points that begin before each multiple of MARK_DISTANCE; without it, places on one long line take quadratic time. */
  #codePointMarks: readonly number[] | undefined;

  readonly #derived = new Map<unknown, unknown>();

  constructor(path: string, text: string) {
    this.path = path;
    this.text = text;
  }

  /** Offset of the first character of every line; `\n`, `\r\n` and lone `\r` end a line. */
  get lineStarts(): readonly number[] {
    this.#lineStarts ??= computeLineStarts(this.text);
    return this.#lineStarts;
  }

  /** Line and column of an offset; offsets past the end are taken as the end. */
  positionAt(offset: number): Position {
    const starts = this.lineStarts;
    const clamped = Math.max(0, Math.min(offset, this.text.length));
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] as number) <= clamped) low = middle;
      else high = middle - 1;
    }
    const lineStart = starts[low] as number;
    return { line: low + 1, column: this.#codePoints(lineStart, clamped) + 1 };
  }

  /** Text of a line (from 1) without its line ending; empty for lines that do not exist. */
  lineText(line: number): string {
    const start = this.lineStarts[line - 1];
    if (start === undefined) return '';
    let end = this.lineStarts[line] ?? this.text.length;
    if (end > start && this.text.charCodeAt(end - 1) === 10) end--;
    if (end > start && this.text.charCodeAt(end - 1) === 13) end--;
    return this.text.slice(start, end);
  }

  /** What a function makes of the file; it is asked once, with what who asks first gives. */
  derived<T, Given extends readonly unknown[]>(make: (file: SourceFile, ...given: Given) => T, ...given: Given): T {
    if (!this.#derived.has(make)) this.#derived.set(make, make(this, ...given));
    return this.#derived.get(make) as T;
  }

  /** Number of code points that begin in the range. */
  #codePoints(start: number, end: number): number {
    if (end - start <= MARK_DISTANCE) return countCodePoints(this.text, start, end);
    return this.#codePointsBefore(end) - this.#codePointsBefore(start);
  }

  #codePointsBefore(offset: number): number {
    this.#codePointMarks ??= computeCodePointMarks(this.text);
    const mark = Math.floor(offset / MARK_DISTANCE);
    return (this.#codePointMarks[mark] as number) + countCodePoints(this.text, mark * MARK_DISTANCE, offset);
  }
}

function computeLineStarts(text: string): number[] {
  const starts = [0];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 10) starts.push(index + 1);
    else if (code === 13 && text.charCodeAt(index + 1) !== 10) starts.push(index + 1);
  }
  return starts;
}

function computeCodePointMarks(text: string): number[] {
  const marks = [0];
  for (let end = MARK_DISTANCE, total = 0; end <= text.length; end += MARK_DISTANCE) {
    total += countCodePoints(text, end - MARK_DISTANCE, end);
    marks.push(total);
  }
  return marks;
}

/** Every unit begins a code point but the low surrogate of a pair, so that counts of neighbouring ranges add up. */
function countCodePoints(text: string, start: number, end: number): number {
  let count = 0;
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index);
    const isLow = code >= 0xdc00 && code < 0xe000;
    if (!isLow || (text.charCodeAt(index - 1) & 0xfc00) !== 0xd800) count++;
  }
  return count;
}
