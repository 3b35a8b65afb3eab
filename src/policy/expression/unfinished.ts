// Recognizes evaluations that a limit stopped: the server's cost limit, or Preadmit's own, which leaves the result unknown.
import { ErrorValue, type Value } from '../../cel/value/value.ts';

/** What would settle an unfinished result, as a phrase. */
export const UNFINISHED_WORK = 'an evaluation that exceeds the work limit';

/** The server's own cost limit stopped it. Tracing it again would be expensive and yield no field. */
export function isStopped(value: Value): boolean {
  return value instanceof ErrorValue && value.kind === 'cost-exceeded';
}

export function isUnfinished(value: Value): boolean {
  return value instanceof ErrorValue && value.kind === 'work-exceeded';
}
