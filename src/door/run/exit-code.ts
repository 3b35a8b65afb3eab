// The exit codes, and the code for each verdict.
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
  /** For runs on a few files, which may hold no object. */
  readonly mayCheckNothing?: boolean;
}

export function exitOptions({ flags }: Pick<ParsedArguments, 'flags'>): ExitOptions {
  return { mayCheckNothing: flags.has('allow-nothing') };
}

/** A shard exits with 0 whatever it found: the merged report has the verdict. */
export function exitCodeOf(
  { verdict: { conclusion, failOn, onUndecided }, shard }: Pick<Report, 'verdict' | 'shard'>,
  { mayCheckNothing = false }: ExitOptions = {},
): number {
  if (shard !== undefined) return EXIT.allowed;
  if (conclusion === 'denied') return EXIT.denied;
  if (conclusion === 'undecided' && onUndecided === 'fail') return EXIT.undecided;
  return conclusion === 'nothing-checked' && failOn !== 'never' && !mayCheckNothing
    ? EXIT.nothingChecked
    : EXIT.allowed;
}
