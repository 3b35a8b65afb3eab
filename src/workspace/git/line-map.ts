// Which line of one version of a file is which line of another, read from a difference without context lines.
import { asBuffer } from '../files/bytes.ts';

/** The line (from 1) in the other version; undefined if only this one has it. */
export type LineMap = (line: number) => number | undefined;

const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

interface Hunk {
  readonly removed: number;
  /** First line of what was added or, where nothing was, the line after which something was removed. */
  readonly start: number;
  readonly added: number;
}

/**
 * From lines of the new version to lines of the old one. `patch` is what `git diff-tree -p -U0` writes of one file: only headers of
 * hunks begin with `@@`, and lines end with a line feed alone.
 */
export function lineMapOf(patch: Uint8Array): LineMap {
  const hunks = asBuffer(patch)
    .toString('latin1')
    .split('\n')
    .flatMap((line): Hunk[] => {
      const [, removed = '1', start, added = '1'] = HUNK.exec(line) ?? [];
      return start === undefined ? [] : [{ removed: Number(removed), start: Number(start), added: Number(added) }];
    });
  // The versions differ, so a difference without hunks says nothing.
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
