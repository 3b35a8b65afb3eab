// What a run could not judge: the one place that says which entries of a Report are not a judgement.
import type { Finding, Report, ReportedDiagnostic, Severity, Verdict } from '../report.ts';
import { isCounted } from './counted.ts';
import { mayFail } from './may-fail.ts';

/** Diagnostics that stand for an object, a render target or a document without a judgement. */
export const UNDECIDED_CODES = ['undecided-object', 'not-rendered', 'unread-document'] as const;
export type UndecidedCode = (typeof UNDECIDED_CODES)[number];

const CODES: ReadonlySet<string> = new Set(UNDECIDED_CODES);

export function isUndecided(entry: Finding | ReportedDiagnostic): boolean {
  return 'result' in entry ? entry.result === 'unknown' : CODES.has(entry.code);
}

/** Names of policies without a judgement for some object, so that they are never reported as passed. */
export function openPolicies({ findings, diagnostics }: Pick<Report, 'findings' | 'diagnostics'>): ReadonlySet<string> {
  const undecided = diagnostics.filter(isUndecided);
  return new Set([
    ...undecided.flatMap(({ policy }) => (policy === undefined ? [] : [policy])),
    ...findings.filter(isUndecided).map(({ policy }) => policy.name),
  ]);
}

/** True if a judgement is missing that could fail the run. In a comparison, an old unknown counts if the change touches its object. */
export function isGap(
  entry: Finding | ReportedDiagnostic,
  { failOn, only, touched }: Pick<Verdict, 'failOn' | 'only' | 'touched'>,
): boolean {
  if (failOn === 'never' || !isUndecided(entry) || entry.excuse !== undefined) return false;
  if (!('result' in entry)) return isCounted(entry, { ...(only && { only }), ...(touched && { touched }) });
  return mayFail(entry.actions, failOn) && isOfChange(entry, only);
}

/** A failure that base also has is existing. An undecided finding counts as new unless the change leaves the object untouched. */
export function isOfChange({ status, operation }: Finding, only: Verdict['only']): boolean {
  return only !== 'new' || status !== 'existing' || operation !== 'CREATE';
}

/** True if the entry keeps the gate from passing: it is a gap, and `onUndecided` is `fail`. */
export function failsUndecided(entry: Finding | ReportedDiagnostic, verdict: Report['verdict']): boolean {
  return verdict.onUndecided === 'fail' && isGap(entry, verdict);
}

/** Severity of an entry for the run: an entry that keeps the gate from passing is an error. */
export function severityIn(entry: Finding | ReportedDiagnostic, { verdict }: Pick<Report, 'verdict'>): Severity {
  return failsUndecided(entry, verdict) ? 'error' : entry.severity;
}
