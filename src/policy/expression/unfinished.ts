// Evaluations that were stopped: by the server, or here alone, where their answer is unknown.
import { ErrorValue, type Value } from '../../cel/value/value.ts';

/** What would settle such an answer, as a phrase. */
export const UNFINISHED_WORK = 'an answer that takes more work than is allowed here';

/** The server stops it, too, for its cost: to run it once more under observation is dear, and no field comes of it. */
export function isStopped(value: Value): boolean {
  return value instanceof ErrorValue && value.kind === 'cost-exceeded';
}

export function isUnfinished(value: Value): boolean {
  return value instanceof ErrorValue && value.kind === 'work-exceeded';
}
