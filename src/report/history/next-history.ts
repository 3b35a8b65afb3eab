// Adds an audit to the text of a history, joins two texts of one history, and keeps the text below its limit.
import type { Report } from '../report.ts';
import { type AuditStamp, auditLine } from './audit-line.ts';
import { type FoldedHistory, foldHistory, summaryLine } from './fold-history.ts';
import { type HistoryFinding, type HistoryLine, lineText } from './history-line.ts';
import { type HistoryEntry, type ReadHistory, readHistory, UNREADABLE } from './read-history.ts';

/** A longer history is compacted: at most this many lines and characters. With its newest audit it stays below 24 MiB. */
export const COMPACT_LINES = 800;
const COMPACT_CHARACTERS = 12 * 1024 * 1024;
/** The newest audits, which compaction keeps as they are. */
const KEPT_LINES = 200;
const KEPT_CHARACTERS = 4 * 1024 * 1024;
/** Limit for the findings of one line. */
const LINE_CHARACTERS = 8 * 1024 * 1024;

export interface NextHistory {
  /** To be appended; undefined if the text already has this audit, or must not be changed. */
  readonly line: string | undefined;
  /** The history with this audit. Absent: this audit shows an earlier state than the last one, so it has no place in the history. */
  readonly history?: FoldedHistory;
  /** The newer commit of the last audit, if there is no `history`. */
  readonly newerCommit?: string;
}

/** Call it again with the new text if another audit has changed the text in the meantime. */
export function nextHistory(text: string, report: Report, stamp: AuditStamp): NextHistory {
  const today = stamp.at.slice(0, 10);
  const read = readHistory(text);
  const before = foldHistory(read, today);
  if (before.names.has(stamp.audit)) return { line: undefined, history: before };
  const { commit: last } = before;
  if (last !== undefined && stamp.newerCommits?.has(last) === true) return { line: undefined, newerCommit: last };
  const line = auditLine(report, before, stamp);
  const added = { ...line, found: within(line.found) };
  const history = foldHistory({ ...read, entries: [...read.entries, added] }, today);
  return { line: read.newer > 0 ? undefined : lineText(added), history };
}

/** The text with the line at its end, also if an interrupted run left half a line. */
export function appendedLine(text: string, line: string): string {
  return text === '' || text.endsWith('\n') ? text + line : `${text}\n${line}`;
}

/** Replaces the oldest lines by their summary; undefined if the text is small enough, or has lines of a newer version. */
export function compacted(text: string): string | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length <= COMPACT_LINES && text.length <= COMPACT_CHARACTERS) return undefined;
  let kept = 0;
  let characters = 0;
  while (kept < Math.min(KEPT_LINES, lines.length - 1)) {
    characters += (lines.at(-1 - kept) as string).length;
    if (characters > KEPT_CHARACTERS) break;
    kept += 1;
  }
  const old = lines.slice(0, lines.length - kept);
  const read = readHistory(old.join('\n'));
  const last = read.entries.findLast(isLine);
  if (readHistory(text).newer > 0 || last === undefined) return undefined;
  const folded = foldHistory(read, newestDay(read));
  const summary = summaryLine(folded, last.at);
  const shortened = { ...summary, findings: within(summary.findings) };
  return [lineText(shortened), ...lines.slice(lines.length - kept).map((line) => `${line}\n`)].join('');
}

/** Two versions of one history, for example after a forced push: their common start, then the other lines of both by date. */
export function joinedHistories(one: string, other: string): string {
  const [left, right] = [one, other].map((text) => text.split('\n').filter((line) => line.trim() !== '')) as [
    string[],
    string[],
  ];
  let common = 0;
  while (common < left.length && left[common] === right[common]) common += 1;
  const known = new Set(left);
  const rest = [...left.slice(common), ...right.slice(common).filter((line) => !known.has(line))];
  if (rest.length === left.length - common) return one;
  const dated = rest.map((line) => ({ line, at: momentOf(line) }));
  dated.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return [...left.slice(0, common), ...dated.map(({ line }) => line)].map((line) => `${line}\n`).join('');
}

function isLine(entry: HistoryEntry): entry is HistoryLine {
  return entry !== UNREADABLE;
}

function momentOf(line: string): string {
  const [entry] = readHistory(line).entries;
  return entry === undefined || entry === UNREADABLE ? '' : entry.at;
}

/** Compaction has no clock: no date of the lines is later than the last one. */
function newestDay({ entries }: ReadHistory): string {
  const days = entries.flatMap((entry) => (entry === UNREADABLE ? [] : [entry.at.slice(0, 10)]));
  return days.sort().at(-1) ?? '';
}

function within<Finding extends HistoryFinding>(findings: readonly Finding[]): readonly Finding[] {
  let left = LINE_CHARACTERS;
  return findings.filter((finding) => {
    left -= JSON.stringify(finding).length + 1;
    return left >= 0;
  });
}
