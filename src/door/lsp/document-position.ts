// Converts between text offsets or report locations and LSP positions: lines from 0, columns from 0 in UTF-16 units.
import type { Position, Range } from 'vscode-languageserver-types';
import type { Place } from '../../report/report.ts';
import type { SourceFile, SourceRange } from '../../source/text/source-file.ts';

/** Clamps as the protocol requires: past the end of a line is its end, past the last line is the end of the text. */
export function offsetAt(file: SourceFile, { line, character }: Position): number {
  const starts = file.lineStarts;
  const start = starts[line];
  if (start === undefined) return file.text.length;
  return Math.min(start + character, start + file.lineText(line + 1).length);
}

function positionOf(file: SourceFile, offset: number): Position {
  const { line } = file.positionAt(offset);
  const start = file.lineStarts[line - 1] ?? 0;
  return { line: line - 1, character: Math.min(Math.max(offset, 0), file.text.length) - start };
}

export function protocolRange(file: SourceFile, { start, end }: SourceRange): Range {
  return { start: positionOf(file, start), end: positionOf(file, end) };
}

/** Report locations count columns in characters from 1. */
export function rangeOfPlace(file: SourceFile, place: Place): Range {
  return {
    start: position(file, place.startLine, place.startColumn),
    end: position(file, place.endLine, place.endColumn),
  };
}

function position(file: SourceFile, line: number, column: number): Position {
  const text = file.lineText(line);
  let character = 0;
  for (let count = 1; count < column && character < text.length; count++) {
    character += (text.codePointAt(character) as number) > 0xffff ? 2 : 1;
  }
  return { line: line - 1, character };
}
