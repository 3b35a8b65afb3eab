// Whether a policy's actions can fail the run at a threshold.
import type { FailOn, ValidationAction } from '../report.ts';

/** True if a policy with these actions can fail the run. */
export function mayFail(actions: readonly ValidationAction[], failOn: FailOn): boolean {
  switch (failOn) {
    case 'error':
      return true;
    case 'deny':
    case 'never':
      return actions.includes('Deny');
    case 'warn':
      return actions.includes('Deny') || actions.includes('Warn');
    case 'audit':
      return actions.length > 0;
    default:
      return failOn satisfies never;
  }
}
