// Why a finding does not count against the gate: what both kinds of excuse have in common.
import type { Excuse, Finding, FindingStatus, Report, ReportedDiagnostic } from '../report.ts';
import { resourceLabel, ruleId } from '../wording/wording.ts';

/** The findings that count: neither in the baseline nor suppressed. */
export function openFindings<F extends Finding>(findings: readonly F[]): readonly F[] {
  return findings.filter(({ excuse }) => excuse === undefined);
}

/** Problems of texts that count. */
export function openDiagnostics<D extends ReportedDiagnostic>(diagnostics: readonly D[]): readonly D[] {
  return diagnostics.filter(({ excuse }) => excuse === undefined);
}

/** `today` and `lastDay` as `2026-11-21`; the last day still counts. */
export function isExpired(lastDay: string, today: string): boolean {
  return lastDay < today;
}

/** What was accepted, and by whom: `accepted until 2027-03-31 by team-shop: larger nodes are ordered`. */
export function acceptance({ owner, expires, reason }: Excuse): string {
  const until = expires === undefined ? 'accepted' : `accepted until ${expires}`;
  return `${until}${owner === undefined ? '' : ` by ${owner}`}: ${reason}`;
}

/** Something accepted, whether a policy said it or the server would. */
export interface AcceptedItem {
  /** The object. */
  readonly subject: string;
  /** The rule of a policy, or the code of what is wrong with the object itself. */
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
