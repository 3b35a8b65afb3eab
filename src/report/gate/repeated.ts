// Warnings of an update that base has too: the server repeats them, but the change does not cause them, and they cannot fail the run.
import type { Finding, ReportedDiagnostic, Verdict } from '../report.ts';
import { isCounted } from './counted.ts';
import { mayFail } from './may-fail.ts';

/** Formats for people show these findings in one line per object. */
export function isRepeated(finding: Finding, verdict: Verdict): boolean {
  const { status, operation, actions } = finding;
  const isOld = verdict.only === 'new' && status === 'existing' && operation === 'UPDATE';
  return isOld && isCounted(finding, verdict) && !mayFail(actions, verdict.failOn);
}

/** True if formats for people show the entry in full: it counts, and the change brings it or it can fail the run. */
export function isShown(entry: Finding | ReportedDiagnostic, verdict: Verdict): boolean {
  return isCounted(entry, verdict) && !('rule' in entry && isRepeated(entry, verdict));
}
