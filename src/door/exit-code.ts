// What the exit status of a run says; the only place these numbers stand.
import type { Verdict } from '../report/report.ts';

export const EXIT = { allowed: 0, denied: 1, usage: 2, nothingChecked: 3, internal: 4 } as const;

export function exitCodeOf({ conclusion, failOn }: Verdict): number {
  if (conclusion === 'denied') return EXIT.denied;
  return conclusion === 'nothing-checked' && failOn !== 'never' ? EXIT.nothingChecked : EXIT.allowed;
}
