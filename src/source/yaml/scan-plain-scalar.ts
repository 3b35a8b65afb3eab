// Reads a plain scalar (libyaml `yaml_parser_scan_plain_scalar`).
import { neededPieces } from '../node/node.ts';
import { ScalarText } from '../node/scalar-text.ts';
import { isBlank, isBlankOrEnd, isBreak, TAB } from './character.ts';
import type { Cursor } from './cursor.ts';
import { PendingBreaks } from './pending-breaks.ts';
import type { ScannedScalar } from './token.ts';

const HASH = 0x23;
const COLON = 0x3a;

/**
 * `indent` is the minimum column of continuation lines in block context. `endsWithBreak`: white space up to the start
 * of a line was read, so a simple key may follow. Undefined after a problem.
 */
export function scanPlainScalar(
  cursor: Cursor,
  indent: number,
  inFlow: boolean,
): { scalar: ScannedScalar; endsWithBreak: boolean } | undefined {
  const { text, line, position: start } = cursor;
  const scalar = new ScalarText(text, cursor.recordPieces);
  let breaks: PendingBreaks | undefined;
  // The text from copyStart to end is not copied yet; end is the end of the last visible character.
  let copyStart = start;
  let end = start;
  let afterBreak = false;

  while (!cursor.atDocumentIndicator() && text.charCodeAt(cursor.position) !== HASH) {
    const runStart = cursor.position;
    const runEnd = endOfRun(text, runStart, inFlow);
    if (runEnd > runStart) {
      if (afterBreak && breaks !== undefined) {
        scalar.copy(copyStart, end);
        breaks.foldInto(scalar, end, runStart);
        copyStart = runStart;
        afterBreak = false;
      }
      end = runEnd;
      cursor.position = runEnd;
    }
    let code = text.charCodeAt(cursor.position);
    if (!isBlank(code) && !isBreak(code)) break;
    for (; ; code = text.charCodeAt(cursor.position)) {
      if (isBlank(code)) {
        if (afterBreak && code === TAB && cursor.column < indent) {
          return cursor.fail('found a tab character that violates indentation', 'while scanning a plain scalar', start);
        }
        cursor.position++;
      } else if (isBreak(code)) {
        breaks ??= new PendingBreaks();
        breaks.read(cursor);
        afterBreak = true;
      } else break;
    }
    if (!inFlow && cursor.column < indent) break;
  }
  scalar.copy(copyStart, end);
  const { value } = scalar;
  const pieces = neededPieces(scalar.pieces, value, end - start);
  return {
    scalar: { value, style: 'plain', start, end, line, pieces },
    endsWithBreak: afterBreak,
  };
}

/** End of a run of visible characters: white space, `: `, or a flow indicator in flow context. */
function endOfRun(text: string, start: number, inFlow: boolean): number {
  let position = start;
  for (; ; position++) {
    const code = text.charCodeAt(position);
    if (isBlankOrEnd(code)) return position;
    if (code === COLON && isBlankOrEnd(text.charCodeAt(position + 1))) return position;
    if (inFlow && isFlowIndicator(code)) return position;
  }
}

/** `,`, `?`, `[`, `]`, `{`, `}` end a plain scalar in flow context. */
function isFlowIndicator(code: number): boolean {
  return code === 0x2c || code === 0x3f || code === 0x5b || code === 0x5d || code === 0x7b || code === 0x7d;
}
