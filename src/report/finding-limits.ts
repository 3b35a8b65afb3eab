// How many findings a report holds, and which: a hostile repository can ask for millions.
import { sortedFindings } from './finding-order.ts';
import type { Finding, Severity, UnlistedFindings } from './report.ts';

/** Of one object; the most severe are taken. */
export const MAX_FINDINGS_OF_OBJECT = 200;
/** Of a run. */
export const MAX_FINDINGS = 50_000;

export const NOTHING_UNLISTED: UnlistedFindings = { error: 0, warning: 0, notice: 0 };

export const SEVERITY_RANK: Record<Severity, number> = { error: 0, warning: 1, notice: 2 };

export interface LimitedFindings {
  readonly findings: readonly Finding[];
  readonly unlisted: UnlistedFindings;
}

/**
 * The most severe findings; of those, the first of every object, then the second of every object …, whatever the order they come in. So
 * an object that is denied stays one that is denied, and what was limited in parts and then as a whole is what the whole gives.
 */
export function limitFindings(findings: readonly Finding[], max = MAX_FINDINGS): LimitedFindings {
  if (findings.length <= max) return { findings, unlisted: NOTHING_UNLISTED };
  const seen = new Map<string, number>();
  const ranked = sortedFindings(findings).map((finding) => {
    const key = `${finding.severity}\0${objectKey(finding)}`;
    const turn = seen.get(key) ?? 0;
    seen.set(key, turn + 1);
    return { finding, turn };
  });
  const inOrder = ranked
    .sort((a, b) => SEVERITY_RANK[a.finding.severity] - SEVERITY_RANK[b.finding.severity] || a.turn - b.turn)
    .map(({ finding }) => finding);
  return { findings: inOrder.slice(0, max), unlisted: tallySeverities(inOrder.slice(max)) };
}

/** The same for all findings of an object in one target. The fields of a rendered object have places in several files. */
export function objectKey({ target, resource, primary, roots }: Finding): string {
  return [
    target,
    roots?.[0] ?? primary.path,
    resource.apiVersion,
    resource.kind,
    resource.namespace,
    resource.name,
  ].join('\0');
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
