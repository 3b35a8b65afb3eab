// How many findings a report holds, and which: a hostile repository can ask for millions.
import { sortedFindings } from './finding-order.ts';
import type { Finding, Severity, UnlistedFindings } from './report.ts';

/** Of one object; the most severe are taken. */
export const MAX_FINDINGS_OF_OBJECT = 1_000;
/** Of a run. */
export const MAX_FINDINGS = 50_000;

export const NOTHING_UNLISTED: UnlistedFindings = { error: 0, warning: 0, notice: 0 };

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'notice'];
export const SEVERITY_RANK: Record<Severity, number> = { error: 0, warning: 1, notice: 2 };

export interface LimitedFindings {
  readonly findings: readonly Finding[];
  readonly unlisted: UnlistedFindings;
}

/** The most severe findings, and of those the first in the order of a report, whatever the order they come in. */
export function limitFindings(findings: readonly Finding[], max = MAX_FINDINGS): LimitedFindings {
  if (findings.length <= max) return { findings, unlisted: NOTHING_UNLISTED };
  const ranked = SEVERITIES.flatMap((severity) =>
    sortedFindings(findings.filter((finding) => finding.severity === severity)),
  );
  return { findings: ranked.slice(0, max), unlisted: tallySeverities(ranked.slice(max)) };
}

export function tallySeverities(items: readonly { readonly severity: Severity }[]): UnlistedFindings {
  const tally = { ...NOTHING_UNLISTED };
  for (const { severity } of items) tally[severity] += 1;
  return tally;
}

export function addUnlisted(one: UnlistedFindings, other: UnlistedFindings): UnlistedFindings {
  return combine(one, other, (left, right) => left + right);
}

/** What the second has not got already. */
export function unlistedBeyond(one: UnlistedFindings, known: UnlistedFindings): UnlistedFindings {
  return combine(one, known, (left, right) => Math.max(0, left - right));
}

export function unlistedTotal({ error, warning, notice }: UnlistedFindings): number {
  return error + warning + notice;
}

function combine(
  one: UnlistedFindings,
  other: UnlistedFindings,
  number: (left: number, right: number) => number,
): UnlistedFindings {
  return {
    error: number(one.error, other.error),
    warning: number(one.warning, other.warning),
    notice: number(one.notice, other.notice),
  };
}
