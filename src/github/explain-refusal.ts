// Why GitHub did not take something, in words for the reader of a log: what refused, and what would help.
import { statusOf } from './client.ts';
import type { EventContext } from './event.ts';

export interface Wanted {
  /** What may not be written: `checks`. */
  readonly what: string;
  /** What to give the job: `checks: write`. */
  readonly permission: string;
}

export function explainRefusal(error: unknown, { isFork }: EventContext, { what, permission }: Wanted): string {
  const status = statusOf(error);
  switch (status) {
    case 401:
      return 'GitHub does not accept the token';
    case 403:
    case 404:
      return isFork
        ? 'the token of a pull request from a fork or of Dependabot is read-only'
        : `the token may not write ${what}; give the job \`permissions: ${permission}\``;
    case undefined:
      return `GitHub did not answer (${error instanceof Error ? error.message : 'unknown reason'})`;
    default:
      return `GitHub answered ${status} (${error instanceof Error ? error.message : 'unknown reason'})`;
  }
}
