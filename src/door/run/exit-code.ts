// What the exit status of a run says; the only place these numbers stand.
import type { Report } from '../../report/report.ts';
import type { ParsedArguments } from '../cli/options/parse-arguments.ts';

export const EXIT = {
  allowed: 0,
  denied: 1,
  noValue: 1,
  notRendered: 1,
  usage: 2,
  nothingChecked: 3,
  internal: 4,
  undecided: 5,
} as const;

export interface ExitOptions {
  /** Where a run is about a few files, which need not be about objects. */
  readonly mayCheckNothing?: boolean;
  /** Where somebody looks at what could not be judged, or the conclusion stands elsewhere. */
  readonly mayBeUndecided?: boolean;
}

export function exitOptions({ flags }: Pick<ParsedArguments, 'flags'>): ExitOptions {
  return { mayCheckNothing: flags.has('allow-nothing'), mayBeUndecided: flags.has('allow-undecided') };
}

/** `nothingChecked`: no object met a bound policy. `undecided`: nothing fails the gate, and not everything that might was judged. A shard did its work, whatever it found: the verdict is that of the merged report. */
export function exitCodeOf(
  { verdict: { conclusion, failOn }, shard }: Pick<Report, 'verdict' | 'shard'>,
  { mayCheckNothing = false, mayBeUndecided = false }: ExitOptions = {},
): number {
  if (shard !== undefined) return EXIT.allowed;
  if (conclusion === 'denied') return EXIT.denied;
  if (conclusion === 'undecided' && !mayBeUndecided) return EXIT.undecided;
  return conclusion === 'nothing-checked' && failOn !== 'never' && !mayCheckNothing
    ? EXIT.nothingChecked
    : EXIT.allowed;
}
