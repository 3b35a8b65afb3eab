// Explains errors of the GitHub API for the log, with a remedy.
import { isRateLimited, statusOf } from './client.ts';
import type { EventContext } from './event.ts';
import { GithubError } from './github-error.ts';

export interface Wanted {
  /** The resource that could not be written, e.g. `checks`. */
  readonly what: string;
  /** The permission that the job needs, e.g. `checks: write`. */
  readonly permission: string;
}

/** GitHub's words for a change that a ruleset or a branch protection refuses. */
const PROTECTED = /protected (?:branch|ref)|rule violations/i;

export function explainRefusal(error: unknown, { isFork }: EventContext, { what, permission }: Wanted): string {
  if (isRateLimited(error)) {
    return "GitHub's rate limit for the token is reached; run the job again later, or give it a token of its own";
  }
  if (error instanceof GithubError) return error.message;
  const status = statusOf(error);
  const [answer = ''] = error instanceof Error ? error.message.split('\n') : [];
  if ((status === 403 || status === 422) && PROTECTED.test(answer)) {
    return `a rule of the repository protects the branch (${answer}); exclude the branch from the rule, or use another branch`;
  }
  switch (status) {
    case 401:
      return 'GitHub rejected the token';
    case 403:
    case 404:
      return isFork
        ? 'the token of a pull request from a fork or of Dependabot is read-only'
        : `the token has no permission to write ${what}; give the job \`permissions: ${permission}\``;
    case undefined:
      return `GitHub did not respond (${error instanceof Error ? error.message : 'unknown reason'})`;
    default:
      return `GitHub responded with status ${status} (${error instanceof Error ? error.message : 'unknown reason'})`;
  }
}
