// Formats issues like cel-go: location, message, source line and caret (cel-go `common/error.go`, `common/errors.go`).

import { type Location, locate, SourceText } from '../syntax/source-text.ts';
import { type Issue, NO_PLACE } from './issue.ts';

const MAX_ISSUES = 100;
/** In UTF-8 bytes. */
const MAX_SNIPPET_LENGTH = 16_384;

/** Sorted by location. Only the first 100 are shown; the rest is counted. */
export function displayIssues(text: string, issues: readonly Issue[]): string {
  const source = new SourceText(text);
  const lineOffsets = source.lineOffsets();
  const lines = text.split('\n');
  const shown = issues
    .slice(0, MAX_ISSUES)
    .map((issue) => ({ message: issue.message, location: locationOf(issue, lineOffsets) }))
    .sort((one, other) => one.location.line - other.location.line || one.location.column - other.location.column)
    .map(({ message, location }) => displayIssue(message, location, lines));
  if (issues.length > MAX_ISSUES) shown.push(`${issues.length - MAX_ISSUES} more errors were truncated`);
  return shown.join('\n');
}

function locationOf(issue: Issue, lineOffsets: readonly number[]): Location {
  return issue.offset === NO_PLACE ? { line: -1, column: -1 } : locate(lineOffsets, issue.offset);
}

function displayIssue(message: string, location: Location, lines: readonly string[]): string {
  const heading = `ERROR: <input>:${location.line}:${location.column + 1}: ${message}`;
  const line = lines[location.line - 1];
  if (line === undefined || (lines.length === 1 && line === '')) return heading;
  if (new TextEncoder().encode(line).length > MAX_SNIPPET_LENGTH) return heading;
  return `${heading}\n | ${line.replaceAll('\t', ' ')}\n | ${pointer(line, location.column)}`;
}

/** Dots up to the column, then a caret. Each is full-width if the character above it is not ASCII. */
function pointer(line: string, column: number): string {
  const characters = [...line.slice(0, 2 * (Math.max(column, 0) + 1))];
  const dots = characters.slice(0, Math.max(column, 0)).map((character) => (isWide(character) ? '\uff0e' : '.'));
  const under = characters[Math.max(column, 0)];
  return `${dots.join('')}${under !== undefined && isWide(under) ? '\uff3e' : '^'}`;
}

function isWide(character: string): boolean {
  return (character.codePointAt(0) as number) > 0x7f;
}
