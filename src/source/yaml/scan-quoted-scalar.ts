// Reads a single- or double-quoted scalar (libyaml `yaml_parser_scan_flow_scalar`).
import { neededPieces } from '../node/node.ts';
import { ScalarText } from '../node/scalar-text.ts';
import { END, hexValue, isBlank, isBlankOrEnd, isBreak } from './character.ts';
import type { Cursor } from './cursor.ts';
import { PendingBreaks } from './pending-breaks.ts';
import type { ScannedScalar } from './token.ts';

const BACKSLASH = 0x5c;
const SINGLE_QUOTE = 0x27;
const DOUBLE_QUOTE = 0x22;

/** The single-letter escapes; `x`, `u` and `U` are followed by hexadecimal digits instead. */
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\x07'],
  ['b', '\b'],
  ['t', '\t'],
  ['\t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\x1b'],
  [' ', ' '],
  ['"', '"'],
  ["'", "'"],
  ['\\', '\\'],
  ['N', '\x85'],
  ['_', '\xa0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);

const HEX_DIGITS: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
]);

/** Undefined after a problem. */
export function scanQuotedScalar(cursor: Cursor, single: boolean): ScannedScalar | undefined {
  const { text, line, position: start } = cursor;
  const quote = single ? SINGLE_QUOTE : DOUBLE_QUOTE;
  const scalar = new ScalarText(text, cursor.recordPieces);
  const breaks = new PendingBreaks();
  cursor.position++;
  for (;;) {
    if (cursor.atDocumentIndicator()) {
      return cursor.fail('found unexpected document indicator', 'while scanning a quoted scalar', start);
    }
    if (text.charCodeAt(cursor.position) === END) {
      return cursor.fail('found unexpected end of stream', 'while scanning a quoted scalar', start);
    }
    const escapedBreak = readRun(cursor, scalar, single, start);
    if (cursor.problem !== undefined) return undefined;
    if (text.charCodeAt(cursor.position) === quote) break;
    readWhiteSpace(cursor, scalar, breaks, escapedBreak);
  }
  cursor.position++;
  const { value } = scalar;
  const end = cursor.position;
  const pieces = neededPieces(scalar.pieces, value, end - start - 2);
  return { value, style: single ? 'single' : 'double', start, end, line, pieces };
}

/** Reads up to white space or the closing quote. Returns true if the run ended with an escaped line break. */
function readRun(cursor: Cursor, scalar: ScalarText, single: boolean, scalarStart: number): boolean {
  const { text } = cursor;
  let copyStart = cursor.position;
  for (;;) {
    const code = text.charCodeAt(cursor.position);
    if (isBlankOrEnd(code)) break;
    if (single && code === SINGLE_QUOTE) {
      if (text.charCodeAt(cursor.position + 1) !== SINGLE_QUOTE) break;
      scalar.copy(copyStart, cursor.position);
      scalar.replace("'", cursor.position, cursor.position + 2);
      cursor.position += 2;
      copyStart = cursor.position;
    } else if (!single && code === DOUBLE_QUOTE) {
      break;
    } else if (!single && code === BACKSLASH) {
      scalar.copy(copyStart, cursor.position);
      if (isBreak(text.charCodeAt(cursor.position + 1))) {
        cursor.position++;
        cursor.skipBreak();
        return true;
      }
      if (!readEscape(cursor, scalar, scalarStart)) return false;
      copyStart = cursor.position;
    } else {
      cursor.position++;
    }
  }
  scalar.copy(copyStart, cursor.position);
  return false;
}

function readEscape(cursor: Cursor, scalar: ScalarText, scalarStart: number): boolean {
  const { text, position: start } = cursor;
  const letter = text.charAt(start + 1);
  const decoded = ESCAPES.get(letter);
  if (decoded !== undefined) {
    cursor.position += 2;
    scalar.replace(decoded, start, cursor.position);
    return true;
  }
  const digits = HEX_DIGITS.get(letter);
  if (digits === undefined) {
    cursor.fail('found unknown escape character', 'while parsing a quoted scalar', scalarStart);
    return false;
  }
  cursor.position += 2;
  let value = 0;
  for (let index = 0; index < digits; index++) {
    const digit = hexValue(text.charCodeAt(cursor.position + index));
    if (digit < 0) {
      cursor.fail('did not find expected hexdecimal number', 'while parsing a quoted scalar', scalarStart);
      return false;
    }
    value = value * 16 + digit;
  }
  if ((value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff) {
    cursor.fail('found invalid Unicode character escape code', 'while parsing a quoted scalar', scalarStart);
    return false;
  }
  cursor.position += digits;
  scalar.replace(String.fromCodePoint(value), start, cursor.position);
  return true;
}

/** Keeps blanks within a line and drops blanks around line breaks. After an escaped break, only further breaks are added. */
function readWhiteSpace(cursor: Cursor, scalar: ScalarText, breaks: PendingBreaks, escapedBreak: boolean): void {
  const { text, position: start } = cursor;
  let afterBreak = escapedBreak;
  for (;;) {
    const code = text.charCodeAt(cursor.position);
    if (isBlank(code)) cursor.position++;
    else if (isBreak(code)) {
      breaks.read(cursor);
      afterBreak = true;
    } else break;
  }
  if (!afterBreak) scalar.copy(start, cursor.position);
  else if (escapedBreak) {
    breaks.appendTo(scalar, 0);
    breaks.clear();
  } else breaks.foldInto(scalar, start, cursor.position);
}
