// Shared code for accepted findings, whether by baseline or by annotation.
import type { Excuse, Finding, FindingStatus, Report, ReportedDiagnostic } from '../report.ts';
import { resourceLabel, ruleId } from '../wording/wording.ts';

/** Findings that count in the verdict: neither in the baseline nor suppressed. */
export function openFindings<F extends Finding>(findings: readonly F[]): readonly F[] {
  return findings.filter(({ excuse }) => excuse === undefined);
}

/** Diagnostics that count in the verdict. */
export function openDiagnostics<D extends ReportedDiagnostic>(diagnostics: readonly D[]): readonly D[] {
  return diagnostics.filter(({ excuse }) => excuse === undefined);
}

/** `today` and `lastDay` have the format `2026-11-21`; the last day itself is not expired. */
export function isExpired(lastDay: string, today: string): boolean {
  return lastDay < today;
}

/** Describes an acceptance: `accepted until 2027-03-31 by team-shop: larger nodes are ordered`. */
export function acceptance({ owner, expires, reason }: Excuse): string {
  const until = expires === undefined ? 'accepted' : `accepted until ${expires}`;
  return `${until}${owner === undefined ? '' : ` by ${owner}`}: ${reason}`;
}

/** An accepted finding or diagnostic. */
export interface AcceptedItem {
  /** The object. */
  readonly subject: string;
  /** The rule of a policy, or the diagnostic code. */
  readonly rule: string;
  readonly status: FindingStatus | undefined;
  readonly excuse: Excuse;
}

export function acceptedItems({
  findings,
  diagnostics,
}: Pick<Report, 'findings' | 'diagnostics'>): readonly AcceptedItem[] {
  return [
    ...findings.flatMap(({ excuse, resource, status, ...finding }) =>
      excuse === undefined ? [] : [{ subject: resourceLabel(resource), rule: ruleId(finding), status, excuse }],
    ),
    ...diagnostics.flatMap(({ excuse, resource, subject, subjects, status, code }) => {
      const named = subjects ?? (resource === undefined ? subject : resourceLabel(resource)) ?? [];
      return excuse === undefined ? [] : [named].flat().map((each) => ({ subject: each, rule: code, status, excuse }));
    }),
  ];
}
