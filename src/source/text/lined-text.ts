// The characters of one text, and the way from their offsets to lines.
import { type OwnText, ownText } from './own-text.ts';

/** Created only for output. Line and column are 1-based; columns are in code points. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** UTF-16 units between two entries of `#codePointMarks`: the most that is counted for one column. */
const MARK_DISTANCE = 1024;

/** A text whose lines are computed on first use. */
export class LinedText {
  readonly text: string;
  #lineStarts: readonly number[] | undefined;
  /** Number of code points before each multiple of MARK_DISTANCE. Without it, many locations on one long line take quadratic time. */
  #codePointMarks: readonly number[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Offset of the first character of every line; `\n`, `\r\n` and a lone `\r` end a line. */
  get lineStarts(): readonly number[] {
    this.#lineStarts ??= computeLineStarts(this.text);
    return this.#lineStarts;
  }

  /** Line and column of an offset. An offset past the end gives the end of the text. */
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
  lineText(line: number): OwnText {
    const start = this.lineStarts[line - 1];
    if (start === undefined) return ownText('');
    let end = this.lineStarts[line] ?? this.text.length;
    if (end > start && this.text.charCodeAt(end - 1) === 10) end--;
    if (end > start && this.text.charCodeAt(end - 1) === 13) end--;
    return ownText(this.text.slice(start, end));
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

/** Skip only low surrogates, so that the sums of adjacent ranges are correct. */
function countCodePoints(text: string, start: number, end: number): number {
  let count = 0;
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index);
    const isLow = code >= 0xdc00 && code < 0xe000;
    if (!isLow || (text.charCodeAt(index - 1) & 0xfc00) !== 0xd800) count++;
  }
  return count;
}
