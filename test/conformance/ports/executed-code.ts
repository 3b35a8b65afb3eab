// Which places of a bundle were executed, by V8's counters.
import type { Profiler } from 'node:inspector';

/** Offsets in a bundle, the outer ranges first. The innermost range decides. */
export type Ranges = readonly (readonly [start: number, end: number, isExecuted: boolean])[];

/** Counted ranges of the bundle, the outer ones first. */
export function rangesOf(coverage: readonly Profiler.ScriptCoverage[]): Ranges {
  // The bundle is by far the script with the most functions.
  const [bundle] = coverage.toSorted((left, right) => right.functions.length - left.functions.length);
  return (bundle?.functions ?? [])
    .flatMap(({ ranges }) => ranges)
    .map(({ startOffset, endOffset, count }) => [startOffset, endOffset, count > 0] as const)
    .toSorted(([leftStart, leftEnd], [rightStart, rightEnd]) => leftStart - rightStart || rightEnd - leftEnd);
}

export function isExecuted(ranges: Ranges, at: number): boolean {
  let found = false;
  for (const [start, end, executed] of ranges) {
    if (start > at) break;
    if (at < end) found = executed;
  }
  return found;
}
