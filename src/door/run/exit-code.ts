// Exit codes and how a report determines them. The numbers are defined only here.
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
  /** Exit with 0 if nothing was checked, for runs on a few files. */
  readonly mayCheckNothing?: boolean;
}

export function exitOptions({ flags }: Pick<ParsedArguments, 'flags'>): ExitOptions {
  return { mayCheckNothing: flags.has('allow-nothing') };
}

/**
 * `nothingChecked`: no bound policy applied to any object. `undecided`: nothing denies, but some objects could not be judged. A shard
 * always exits with 0, because the verdict is that of the merged report.
 */
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
