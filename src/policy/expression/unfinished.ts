// Evaluations that were stopped here, and that no API server stops: their answer is unknown.
import { ErrorValue, type Value } from '../../cel/value/value.ts';

/** What would settle such an answer, as a phrase. */
export const UNFINISHED_WORK = 'an answer that takes more work than is allowed here';

export function isUnfinished(value: Value): boolean {
  return value instanceof ErrorValue && value.kind === 'work-exceeded';
}
