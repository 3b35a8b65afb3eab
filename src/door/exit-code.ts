// What the exit status of a run says; the only place these numbers stand.
import type { Report } from '../report/report.ts';

export const EXIT = {
  allowed: 0,
  denied: 1,
  noValue: 1,
  notRendered: 1,
  usage: 2,
  nothingChecked: 3,
  internal: 4,
} as const;

export interface ExitOptions {
  /** Where a run is about a few files, which need not be about objects. */
  readonly mayCheckNothing?: boolean;
}

/** `nothingChecked`: no object met a bound policy. A shard did its work, whatever it found: the verdict is that of the merged report. */
export function exitCodeOf(
  { verdict: { conclusion, failOn }, shard }: Pick<Report, 'verdict' | 'shard'>,
  { mayCheckNothing = false }: ExitOptions = {},
): number {
  if (shard !== undefined) return EXIT.allowed;
  if (conclusion === 'denied') return EXIT.denied;
  return conclusion === 'nothing-checked' && failOn !== 'never' && !mayCheckNothing
    ? EXIT.nothingChecked
    : EXIT.allowed;
}
