// Finds the lines of a changed file that accept review comments: those in the hunks of the patch that GitHub returns.

export interface PatchLine {
  readonly text: string;
  /** Index of the hunk. A comment on several lines must stay within one hunk. */
  readonly hunk: number;
}

const HUNK = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/;

/** The lines of the new file in the patch, by 1-based number. */
export function patchLines(patch: string): ReadonlyMap<number, PatchLine> {
  const lines = new Map<number, PatchLine>();
  let hunk = 0;
  let next = 0;
  /** Remaining lines of the hunk. Any of them may look like a hunk header. */
  let left = 0;
  for (const line of patch.split('\n')) {
    const [, start, length = '1'] = left > 0 ? [] : (HUNK.exec(line) ?? []);
    if (start !== undefined) {
      hunk += 1;
      next = Number(start);
      left = Number(length);
    } else if (left > 0 && (line.startsWith('+') || line.startsWith(' '))) {
      lines.set(next, { text: line.slice(1), hunk });
      next += 1;
      left -= 1;
    }
  }
  return lines;
}
