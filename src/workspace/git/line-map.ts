// Maps lines of one version of a file to lines of another, based on a diff without context lines.
import { asBuffer } from '../files/bytes.ts';

/** The 1-based line in the other version; undefined if only this version has the line. */
export type LineMap = (line: number) => number | undefined;

const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

interface Hunk {
  readonly removed: number;
  /** First added line; if nothing was added, the line before the removed ones. */
  readonly start: number;
  readonly added: number;
}

/**
 * Maps lines of the new version to lines of the old one. `patch` is the output of `git diff-tree -p -U0` for one file:
 * only hunk headers begin with `@@`, and lines end with LF only.
 */
export function lineMapOf(patch: Uint8Array): LineMap {
  const hunks = asBuffer(patch)
    .toString('latin1')
    .split('\n')
    .flatMap((line): Hunk[] => {
      const [, removed = '1', start, added = '1'] = HUNK.exec(line) ?? [];
      return start === undefined ? [] : [{ removed: Number(removed), start: Number(start), added: Number(added) }];
    });
  // The versions differ, so a diff without hunks (e.g. of a binary file) gives no information.
  if (hunks.length === 0) return () => undefined;
  return (line) => {
    let shift = 0;
    for (const { removed, start, added } of hunks) {
      const isBefore = added === 0 ? line <= start : line < start;
      if (isBefore) break;
      if (line < start + added) return undefined;
      shift += removed - added;
    }
    return line + shift;
  };
}
