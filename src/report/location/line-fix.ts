// Expresses an edit of a file as a replacement of whole lines.
import { isSecretElsewhere, shownLine } from '../../kubernetes/secret/shown-lines.ts';
import { changedLinesAsOne } from '../../source/edit/changed-lines.ts';
import { type FileEdit, spliced } from '../../source/edit/text-edit.ts';
import { SourceFile } from '../../source/text/source-file.ts';
import type { LineFix } from '../report.ts';

/** Larger edits are no quick fix and do not fit a review comment. */
const MAX_LINES = 60;
const MAX_CHARACTERS = 10_000;

/**
 * Undefined if the lines contain secrets, if there are too many, or if the file has CRLF line ends: no format defines which line ends a
 * tool inserts.
 */
export function lineFix({ file, splices }: FileEdit): LineFix | undefined {
  if (file.text.includes('\r') || isSecretElsewhere(file)) return undefined;
  const change = changedLinesAsOne(file, splices);
  const text = spliced(file.text, splices);
  if (change === undefined || text === undefined) return undefined;
  const { from, before, after } = change;
  const size = [...before, ...after].reduce((sum, line) => sum + line.length, 0);
  if (before.length + after.length > MAX_LINES || size > MAX_CHARACTERS) return undefined;
  const written = new SourceFile(file.path, text);
  if (!areShown(file, from, before) || !areShown(written, from, after)) return undefined;
  const above = neighbour(file, from - 1);
  const below = neighbour(file, from + before.length);
  return {
    path: file.path,
    line: from,
    before,
    after,
    ...(above !== undefined && { above }),
    ...(below !== undefined && { below }),
  };
}

function areShown(file: SourceFile, from: number, lines: readonly string[]): boolean {
  return lines.every((line, index) => shownLine(file, from + index) === line);
}

/** The last line end does not start another line. */
function neighbour(file: SourceFile, line: number): string | undefined {
  const start = file.lineStarts[line - 1];
  if (start === undefined || start >= file.text.length) return undefined;
  const text = file.lineText(line);
  return text.length <= MAX_CHARACTERS && shownLine(file, line) === text ? text : undefined;
}

/** Lines as in a diff: ` spec:`, `-  replicas: 1`, `+  replicas: 2`. */
export function fixLines({ before, after }: LineFix): readonly string[] {
  // Longest common subsequence of the remaining lines, from each pair of positions on.
  const common = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  const staying = (one: number, other: number): number => common[one]?.[other] ?? 0;
  for (let one = before.length - 1; one >= 0; one--) {
    for (let other = after.length - 1; other >= 0; other--) {
      const row = common[one] as number[];
      row[other] =
        before[one] === after[other]
          ? staying(one + 1, other + 1) + 1
          : Math.max(staying(one + 1, other), staying(one, other + 1));
    }
  }
  const lines: string[] = [];
  let [one, other] = [0, 0];
  while (one < before.length || other < after.length) {
    const isSame = one < before.length && other < after.length && before[one] === after[other];
    if (isSame) {
      lines.push(` ${before[one]}`);
      one += 1;
      other += 1;
    } else if (one < before.length && (other === after.length || staying(one + 1, other) >= staying(one, other + 1))) {
      lines.push(`-${before[one++]}`);
    } else lines.push(`+${after[other++]}`);
  }
  return lines;
}
