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
  // How many findings each severity has at each turn.
  const tallies: Record<Severity, number[]> = { error: [], warning: [], notice: [] };
  const ranked = sortedFindings(findings).map((finding) => {
    const { severity } = finding;
    const key = `${severity}\0${objectKey(finding)}`;
    const turn = seen.get(key) ?? 0;
    seen.set(key, turn + 1);
    const tally = tallies[severity];
    tally[turn] = (tally[turn] ?? 0) + 1;
    return { finding, turn };
  });
  // From here on it is how many of them there is room for.
  let room = max;
  for (const severity of SEVERITIES) {
    for (const [turn, count] of tallies[severity].entries()) {
      tallies[severity][turn] = Math.min(room, count);
      room -= Math.min(room, count);
    }
  }
  const listed: Finding[] = [];
  const left: Finding[] = [];
  for (const { finding, turn } of ranked) {
    const tally = tallies[finding.severity];
    const places = tally[turn] as number;
    tally[turn] = places - 1;
    (places > 0 ? listed : left).push(finding);
  }
  return { findings: listed, unlisted: tallySeverities(left) };
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'notice'];

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
