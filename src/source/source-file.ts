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

/** Made only for output: line and column count from 1, columns in code points. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export class SourceFile {
  /** Path from the repository root, always with `/`. */
  readonly path: string;
  /** The decoded text, byte-order mark included if the file has one. */
  readonly text: string;
  #lineStarts: readonly number[] | undefined;

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
    return { line: low + 1, column: codePointLength(this.text, lineStart, clamped) + 1 };
  }

  /** Text of a line (from 1) without its line ending; empty for lines that do not exist. */
  lineText(line: number): string {
    const start = this.lineStarts[line - 1];
    if (start === undefined) return '';
    const next = this.lineStarts[line] ?? this.text.length;
    return this.text.slice(start, next).replace(/\r?\n$|\r$/, '');
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

function codePointLength(text: string, start: number, end: number): number {
  let length = 0;
  for (let index = start; index < end; length++) {
    const code = text.charCodeAt(index);
    const low = text.charCodeAt(index + 1);
    index += code >= 0xd800 && code < 0xdc00 && low >= 0xdc00 && low < 0xe000 ? 2 : 1;
  }
  return length;
}
