// Reads a literal or folded block scalar (libyaml `yaml_parser_scan_block_scalar`).
import { ScalarText } from '../node/scalar-text.ts';
import { END, isBlank, isBreak, isBreakOrEnd, isDigit, SPACE, TAB } from './character.ts';
import type { Cursor } from './cursor.ts';
import { PendingBreaks } from './pending-breaks.ts';
import type { ScannedScalar } from './token.ts';

const CONTEXT = 'while scanning a block scalar';

interface Header {
  readonly chomping: 'strip' | 'clip' | 'keep';
  /** The indentation indicator, 0 if there is none. */
  readonly increment: number;
}

/** `parentIndent` is the column of the block that holds the scalar, -1 at the root. Undefined after a problem. */
export function scanBlockScalar(cursor: Cursor, literal: boolean, parentIndent: number): ScannedScalar | undefined {
  const { text, line, position: start } = cursor;
  cursor.position++;
  const header = readHeader(cursor, start);
  if (header === undefined) return undefined;
  let end = cursor.position;
  if (!skipToLineEnd(cursor, start)) return undefined;

  const scalar = new ScalarText(text, cursor.recordPieces);
  const trailing = new PendingBreaks();
  const leading = new PendingBreaks();
  const written = header.increment === 0 ? 0 : Math.max(parentIndent, 0) + header.increment;
  const indent = readIndentation(cursor, written, parentIndent, trailing, start);
  if (indent === undefined) return undefined;

  let previousStartsBlank = false;
  while (cursor.column === indent && text.charCodeAt(cursor.position) !== END) {
    const startsBlank = isBlank(text.charCodeAt(cursor.position));
    if (!literal && !previousStartsBlank && !startsBlank && leading.first === '\n') {
      if (trailing.isEmpty) scalar.replace(' ', end, cursor.position);
    } else {
      leading.appendTo(scalar, 0);
    }
    leading.clear();
    trailing.appendTo(scalar, 0);
    trailing.clear();
    previousStartsBlank = startsBlank;

    const lineStart = cursor.position;
    while (!isBreakOrEnd(text.charCodeAt(cursor.position))) cursor.position++;
    scalar.copy(lineStart, cursor.position);
    end = cursor.position;
    if (isBreak(text.charCodeAt(cursor.position))) leading.read(cursor);
    if (readIndentation(cursor, indent, parentIndent, trailing, start) === undefined) return undefined;
  }
  if (header.chomping !== 'strip') leading.appendTo(scalar, 0);
  if (header.chomping === 'keep') trailing.appendTo(scalar, 0);
  return { value: scalar.value, style: literal ? 'literal' : 'folded', start, end, line, pieces: scalar.pieces };
}

/** Chomping and indentation indicators, in either order. */
function readHeader(cursor: Cursor, start: number): Header | undefined {
  let chomping = readChomping(cursor);
  const increment = readIncrement(cursor, start);
  if (increment === undefined) return undefined;
  if (increment > 0) chomping ??= readChomping(cursor);
  return { chomping: chomping ?? 'clip', increment };
}

function readChomping(cursor: Cursor): 'strip' | 'keep' | undefined {
  const code = cursor.text.charCodeAt(cursor.position);
  if (code !== 0x2b /* + */ && code !== 0x2d /* - */) return undefined;
  cursor.position++;
  return code === 0x2b ? 'keep' : 'strip';
}

function readIncrement(cursor: Cursor, start: number): number | undefined {
  const code = cursor.text.charCodeAt(cursor.position);
  if (!isDigit(code)) return 0;
  if (code === 0x30) return cursor.fail('found an indentation indicator equal to 0', CONTEXT, start);
  cursor.position++;
  return code - 0x30;
}

/** Skips the blanks, comment and line break at the end of the header. */
function skipToLineEnd(cursor: Cursor, start: number): boolean {
  const { text } = cursor;
  while (isBlank(text.charCodeAt(cursor.position))) cursor.position++;
  if (text.charCodeAt(cursor.position) === 0x23 /* # */) {
    while (!isBreakOrEnd(text.charCodeAt(cursor.position))) cursor.position++;
  }
  if (!isBreakOrEnd(text.charCodeAt(cursor.position))) {
    cursor.fail('did not find expected comment or line break', CONTEXT, start);
    return false;
  }
  cursor.skipBreak();
  return true;
}

/**
 * Reads indentation and empty lines up to the next text (`yaml_parser_scan_block_scalar_breaks`). With `indent` 0, the
 * longest of these lines determines the indentation, which is returned; it is at least the parent's plus one.
 */
function readIndentation(
  cursor: Cursor,
  indent: number,
  parentIndent: number,
  breaks: PendingBreaks,
  start: number,
): number | undefined {
  const { text } = cursor;
  let longest = 0;
  for (;;) {
    while ((indent === 0 || cursor.column < indent) && text.charCodeAt(cursor.position) === SPACE) cursor.position++;
    const column = cursor.column;
    if (column > longest) longest = column;
    const code = text.charCodeAt(cursor.position);
    if ((indent === 0 || column < indent) && code === TAB) {
      return cursor.fail('found a tab character where an indentation space is expected', CONTEXT, start);
    }
    if (!isBreak(code)) break;
    breaks.read(cursor);
  }
  return indent === 0 ? Math.max(longest, parentIndent + 1, 1) : indent;
}
