// Converts offsets to lines and columns; afterwards a location no longer references its file.
import { shownLine } from '../../kubernetes/secret/shown-lines.ts';
import { placeName } from '../../source/manifest/relocated-manifest.ts';
import { Derivation, type SourceFile, type SourceLocation } from '../../source/text/source-file.ts';
import type { Excerpt, Place } from '../report.ts';

const CONTEXT_LINES = 2;
const MAX_EXCERPT_LINES = 8;
/** Code frames truncate lines at this length. */
const MAX_LINE_LENGTH = 1000;

/** True for a location in a policy source: links and annotations cannot point to it. */
export function isElsewhere({ path }: Pick<Place, 'path'>): boolean {
  return placeName(path) !== undefined;
}

/** `excerpt`: function that makes excerpts, so that callers can cache them. */
export function placeOf({ file, range }: SourceLocation, excerpt = excerptOf): Place {
  const start = file.positionAt(range.start);
  const end = file.positionAt(Math.max(range.end, range.start));
  return {
    path: file.path,
    startLine: start.line,
    startColumn: start.column,
    endLine: end.line,
    endColumn: end.column,
    excerpt: excerpt(file, start.line, end.line),
  };
}

/** `placeOf` with a cache, for rules and bindings that many findings reference. */
export function recurringPlaceOf(location: SourceLocation): Place {
  const { file, range } = location;
  const places = file.derived(RECURRING_PLACES);
  const key = `${range.start}-${range.end}`;
  const known = places.get(key);
  if (known !== undefined) return known;
  const place = placeOf(location);
  places.set(key, place);
  return place;
}

const RECURRING_PLACES = new Derivation(() => new Map<string, Place>());

/** `startLine` and `endLine` count from 1. */
export function excerptOf(file: SourceFile, startLine: number, endLine: number): Excerpt {
  const firstLine = Math.max(1, startLine - CONTEXT_LINES);
  const lastLine = Math.min(file.lineStarts.length, endLine + CONTEXT_LINES, firstLine + MAX_EXCERPT_LINES - 1);
  const lines: string[] = [];
  for (let line = firstLine; line <= lastLine; line++) lines.push(cut(shownLine(file, line)));
  if (lines.length > 1 && lines.at(-1) === '' && lastLine > endLine) lines.pop();
  return { firstLine, lines };
}

function cut(line: string): string {
  return line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line;
}
