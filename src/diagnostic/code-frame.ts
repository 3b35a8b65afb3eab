// Formats source lines with a caret under the reported range.
import { displayWidth } from './display-width.ts';
import { sanitizeLine } from './sanitize.ts';

/** Lines and columns are 1-based, columns in code points; the end column is exclusive. */
export interface FramePlace {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** Consecutive lines of a file; the first has the number `firstLine`. */
export interface FrameExcerpt {
  readonly firstLine: number;
  readonly lines: readonly string[];
}

const TAB_WIDTH = 4;
const ELLIPSIS = '…';
const MIN_TEXT_WIDTH = 20;
/** Of a long range, the first lines are enough. */
const MAX_LINES = 8;

interface Cell {
  readonly text: string;
  readonly width: number;
}

/**
 * Returns one string per line, without colours. Lines wider than `width` columns are cut around the caret. A range over
 * several lines is marked in the margin, with the caret at its start.
 */
export function excerptFrame(place: FramePlace, excerpt: FrameExcerpt, width: number): readonly string[] {
  const shown = excerpt.lines.slice(0, MAX_LINES);
  const gutter = String(excerpt.firstLine + shown.length - 1).length;
  const textWidth = Math.max(MIN_TEXT_WIDTH, width - gutter - ' > | '.length);
  const window = windowOf(place, excerpt, textWidth);
  return shown.flatMap((line, index) => {
    const number = excerpt.firstLine + index;
    const marked = number >= place.startLine && number <= place.endLine;
    const text = window.cut(cells(line));
    const source = sanitizeLine(`${marked ? '>' : ' '} ${String(number).padStart(gutter)} | ${text}`.trimEnd());
    if (number !== place.startLine) return [source];
    return [source, `  ${' '.repeat(gutter)} | ${window.carets}`];
  });
}

interface Window {
  cut(line: readonly Cell[]): string;
  readonly carets: string;
}

/** The columns to show: from the first, unless the caret would be cut off. */
function windowOf(place: FramePlace, { firstLine, lines }: FrameExcerpt, width: number): Window {
  const target = cells(lines[place.startLine - firstLine] ?? '');
  const start = columnOf(target, place.startColumn - 1);
  const end = place.endLine === place.startLine ? columnOf(target, place.endColumn - 1) : totalWidth(target);
  const longest = Math.max(totalWidth(target), 1);
  const offset =
    longest <= width || end <= width - 1
      ? 0
      : Math.max(0, Math.min(start - Math.floor(width / 3), longest - width + 1));
  const length = Math.max(1, Math.min(end, offset + width - 1) - start);
  return {
    carets: `${' '.repeat(start - offset)}${'^'.repeat(length)}`,
    cut: (line) => cutCells(line, offset, width),
  };
}

function cutCells(line: readonly Cell[], offset: number, width: number): string {
  const total = totalWidth(line);
  let text = '';
  let column = 0;
  for (const cell of line) {
    const next = column + cell.width;
    if (offset > 0 && column <= offset && next > offset) text = ELLIPSIS + ' '.repeat(next - offset - 1);
    else if (column > offset || offset === 0) {
      if (next - offset > width - 1 && next < total) return text + ELLIPSIS;
      text += cell.text;
    }
    column = next;
  }
  return text;
}

/** The code points of a line as displayed. Width includes the escapes that the sanitizer adds. */
function cells(line: string): readonly Cell[] {
  const result: Cell[] = [];
  let column = 0;
  for (const character of line) {
    const cell = cellOf(character, column);
    column += cell.width;
    result.push(cell);
  }
  return result;
}

function cellOf(character: string, column: number): Cell {
  if (character === '\t') {
    const width = TAB_WIDTH - (column % TAB_WIDTH);
    return { text: ' '.repeat(width), width };
  }
  if (character >= ' ' && character <= '~') return { text: character, width: 1 };
  const text = sanitizeLine(character);
  return text === character ? { text, width: displayWidth(character) } : { text, width: text.length };
}

function columnOf(line: readonly Cell[], codePoints: number): number {
  return totalWidth(line.slice(0, Math.max(0, codePoints)));
}

function totalWidth(line: readonly Cell[]): number {
  return line.reduce((sum, cell) => sum + cell.width, 0);
}
