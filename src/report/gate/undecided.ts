// What a run could not judge: the one place that says which entries of a Report are not a judgement.
import type { Finding, Report, ReportedDiagnostic, Severity } from '../report.ts';
import { isCounted } from './counted.ts';

/** Diagnostics that stand for an object, a render target or a document without a judgement. */
const UNDECIDED_CODES = ['undecided-object', 'not-rendered', 'unread-document'] as const;
export type UndecidedCode = (typeof UNDECIDED_CODES)[number];

const CODES: ReadonlySet<string> = new Set(UNDECIDED_CODES);

export function isUndecided(entry: Finding | ReportedDiagnostic): boolean {
  return 'result' in entry ? entry.result === 'unknown' : CODES.has(entry.code);
}

/** Names of policies that were not evaluated for some object, so that they are never reported as passed. */
export function openPolicies({ diagnostics }: Pick<Report, 'diagnostics'>): ReadonlySet<string> {
  return new Set(diagnostics.flatMap((each) => (isUndecided(each) && each.policy !== undefined ? [each.policy] : [])));
}

/** True if the entry keeps the gate from passing: it is counted and not accepted, and `onUndecided` is `fail`. */
export function failsUndecided(entry: Finding | ReportedDiagnostic, verdict: Report['verdict']): boolean {
  const mayFail = verdict.onUndecided === 'fail' && verdict.failOn !== 'never';
  return mayFail && isUndecided(entry) && entry.excuse === undefined && isCounted(entry, verdict);
}

/** Severity of an entry for the run: an entry that keeps the gate from passing is an error. */
export function severityIn(entry: Finding | ReportedDiagnostic, { verdict }: Pick<Report, 'verdict'>): Severity {
  return failsUndecided(entry, verdict) ? 'error' : entry.severity;
}
