// Converts splices of a text into changed lines and unified diffs.
import { append } from '../../go/slices/append.ts';
import { SourceFile } from '../text/source-file.ts';
import { spliced, type TextSplice } from './text-edit.ts';

/** Lines without line endings. If `before` is empty, the new lines are inserted before line `from`. */
export interface ChangedLines {
  /** 1-based number of the first old line. */
  readonly from: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** In text order; splices on one line are one change. */
function changedLines(file: SourceFile, splices: readonly TextSplice[]): readonly ChangedLines[] {
  const ordered = splices.toSorted((a, b) => a.start - b.start || a.end - b.end);
  const regions: { from: number; to: number; splices: TextSplice[] }[] = [];
  for (const splice of ordered) {
    const from = file.positionAt(splice.start).line;
    const to = Math.max(from, file.positionAt(splice.end).line);
    const last = regions.at(-1);
    if (last !== undefined && from <= last.to) {
      last.to = Math.max(last.to, to);
      last.splices.push(splice);
    } else regions.push({ from, to, splices: [splice] });
  }
  return regions.map(({ from, to, splices: own }) => linesOf(file, from, to, own));
}

/** Combines all splices into one change that includes the lines between them. Undefined if nothing changes. */
export function changedLinesAsOne(file: SourceFile, splices: readonly TextSplice[]): ChangedLines | undefined {
  const changes = changedLines(file, splices);
  const [first, last] = [changes[0], changes.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const before: string[] = [];
  const after: string[] = [];
  let next = first.from;
  for (const change of changes) {
    for (; next < change.from; next++) {
      before.push(file.lineText(next));
      after.push(file.lineText(next));
    }
    append(before, change.before);
    append(after, change.after);
    next = change.from + change.before.length;
  }
  return { from: first.from, before, after };
}

function linesOf(file: SourceFile, from: number, to: number, splices: readonly TextSplice[]): ChangedLines {
  const start = file.lineStarts[from - 1] ?? 0;
  const end = file.lineStarts[to] ?? file.text.length;
  let text = '';
  let position = start;
  for (const splice of splices) {
    text += file.text.slice(position, splice.start) + splice.text;
    position = splice.end;
  }
  text += file.text.slice(position, Math.max(position, end));
  return trimmed(from, splitLines(file.text.slice(start, end)), splitLines(text));
}

function splitLines(text: string): readonly string[] {
  const lines = text.split(/\r\n|\n|\r/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

/** Removes equal lines at the start and at the end. */
function trimmed(from: number, before: readonly string[], after: readonly string[]): ChangedLines {
  const most = Math.min(before.length, after.length);
  let same = 0;
  while (same < most && before[same] === after[same]) same += 1;
  let end = 0;
  while (end < most - same && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return {
    from: from + same,
    before: before.slice(same, before.length - end),
    after: after.slice(same, after.length - end),
  };
}

const CONTEXT = 3;

const NO_BREAK = '\\ No newline at end of file';

/** Formats as `diff -u` does, without the file names. `shown` returns line `number` (from 1) of the old or the new file. */
export function unifiedDiff(
  file: SourceFile,
  splices: readonly TextSplice[],
  shown: (source: SourceFile, number: number) => string = (source, number) => source.lineText(number),
): string {
  const written = spliced(file.text, splices) ?? file.text;
  const after = new SourceFile(file.path, written);
  const count = splitLines(file.text).length;
  const ends = { before: endsWithBreak(file.text), after: endsWithBreak(written) };
  const changes = withLastLine(file, changedLines(file, splices), count, ends);
  const line = (number: number): string => ` ${shown(file, number)}`;
  let text = '';
  let shift = 0;
  for (const group of grouped(changes)) {
    const [first, last] = [group[0] as ChangedLines, group.at(-1) as ChangedLines];
    const from = Math.max(1, first.from - CONTEXT);
    const to = Math.min(count, last.from + last.before.length - 1 + CONTEXT);
    const lines: string[] = [];
    let next = from;
    let added = shift;
    for (const { from: start, before: old, after: now } of group) {
      for (; next < start; next++) lines.push(line(next));
      for (const index of old.keys()) lines.push(`-${shown(file, start + index)}`);
      const isLast = start + old.length > count;
      if (isLast && old.length > 0 && !ends.before) lines.push(NO_BREAK);
      for (const index of now.keys()) lines.push(`+${shown(after, start + added + index)}`);
      if (isLast && now.length > 0 && !ends.after) lines.push(NO_BREAK);
      next = start + old.length;
      added += now.length - old.length;
    }
    for (; next <= to; next++) {
      lines.push(line(next));
      if (next === count && !ends.before) lines.push(NO_BREAK);
    }
    const grown = group.reduce((sum, { before, after }) => sum + after.length - before.length, 0);
    const length = to - from + 1;
    text += `@@ -${from},${length} +${from + shift},${length + grown} @@\n${lines.join('\n')}\n`;
    shift += grown;
  }
  return text;
}

function endsWithBreak(text: string): boolean {
  return text === '' || /[\r\n]$/.test(text);
}

/** A last line that gains or loses its line ending is a changed line. */
function withLastLine(
  file: SourceFile,
  changes: readonly ChangedLines[],
  count: number,
  ends: { readonly before: boolean; readonly after: boolean },
): readonly ChangedLines[] {
  const last = changes.at(-1);
  if (last === undefined || last.from + last.before.length <= count) return changes;
  const isOther = ends.before !== ends.after || !ends.before;
  // If lines are added after or removed at the end, the line before gains or loses its line ending.
  if (!isOther || last.from === 1) return changes;
  if (last.before.length > 0 && last.after.length > 0) return changes;
  const kept = file.lineText(last.from - 1);
  return [
    ...changes.slice(0, -1),
    { from: last.from - 1, before: [kept, ...last.before], after: [kept, ...last.after] },
  ];
}

/** Merges changes whose context lines would overlap. */
function grouped(changes: readonly ChangedLines[]): readonly (readonly ChangedLines[])[] {
  const groups: ChangedLines[][] = [];
  for (const change of changes) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && change.from - (last.from + last.before.length) <= 2 * CONTEXT)
      groups.at(-1)?.push(change);
    else groups.push([change]);
  }
  return groups;
}
