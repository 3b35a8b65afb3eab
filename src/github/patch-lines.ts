// Which lines of a changed file a comment can be put on: those of the pull request's hunks, read from the patch that GitHub shows.

export interface PatchLine {
  readonly text: string;
  /** A comment on several lines stays within one. */
  readonly hunk: number;
}

const HUNK = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@/;

/** The lines of the new file that the patch shows, by number from 1. */
export function patchLines(patch: string): ReadonlyMap<number, PatchLine> {
  const lines = new Map<number, PatchLine>();
  let hunk = 0;
  let next = 0;
  /** Lines of the hunk that are still to come: of their texts any may look like the head of another. */
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
