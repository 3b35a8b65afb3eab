// Whether the gate counts an entry of a comparison: entries of the change, and all entries of objects that the change updates.
import type { FindingStatus, Verdict } from '../report.ts';

interface ComparedEntry {
  readonly status?: FindingStatus;
  /** Of the request: `UPDATE` if the change updates the object. */
  readonly operation?: string;
}

/**
 * The API server rejects every update of an object that breaks a rule, also if the stored object broke it already. So a finding that base
 * has too counts if the change updates its object. Without a comparison, every entry counts.
 */
export function isCounted(
  { status, operation }: ComparedEntry,
  { only, touched }: Pick<Verdict, 'only' | 'touched'>,
): boolean {
  if (only !== 'new' || status !== 'existing') return true;
  return touched === 'count' && operation === 'UPDATE';
}
