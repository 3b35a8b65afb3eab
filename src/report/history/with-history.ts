// Adds the numbers of its history to the report of an audit: ages, new and fixed findings, and how the numbers change.
import type { AuditHistory, BurnDown, FixedEntry, HistoryPoint } from '../audit/audit-history.ts';
import { isOwnedBy } from '../owner/owner-part.ts';
import type { Report } from '../report.ts';
import { dayBefore, daysBetween } from './days.ts';
import {
  type FoldedDay,
  type FoldedHistory,
  type KnownFinding,
  NO_OWNER,
  policyKey,
  type Tally,
} from './fold-history.ts';
import type { FixedFinding, HistoryFinding } from './history-line.ts';
import { identitiesOf, problemIdentities } from './reported-findings.ts';

/** New and fixed findings are those of a week, because audits run daily or weekly. */
const PERIOD_DAYS = 7;
/** Fewer days without findings, or fewer days with an audit among them, are no reason to enforce a policy. */
export const ENFORCEABLE_DAYS = 14;
const ENFORCEABLE_AUDITS = 3;
const MAX_LISTED = 50;
const MAX_ROWS = 200;
const MAX_POINTS = 90;

export interface HistoryView {
  /** Day of the audit; format `2026-11-24`. */
  readonly today: string;
}

/** `history` includes the line of this audit. If the report lists only the part of an owner, the history is that of the part. */
export function withHistory(report: Report, history: FoldedHistory, { today }: HistoryView): Report {
  const sinceOf = (ids: readonly string[]): { since?: string } => {
    const days = ids.flatMap((id) => history.known.get(id)?.since ?? []);
    const first = days.reduce<string | undefined>(
      (oldest, day) => (oldest === undefined || day < oldest ? day : oldest),
      undefined,
    );
    return first === undefined ? {} : { since: first };
  };
  return {
    ...report,
    findings: report.findings.map((finding) => ({ ...finding, ...sinceOf(identitiesOf(finding)) })),
    diagnostics: report.diagnostics.map((problem) => ({ ...problem, ...sinceOf(problemIdentities(problem)) })),
    audit: { ...report.audit, day: today, history: auditHistory(report, history, today) },
  };
}

function auditHistory({ listed, targets }: Report, history: FoldedHistory, today: string): AuditHistory {
  const owner = listed?.owner;
  const isMeant = (finding: HistoryFinding): boolean => owner === undefined || isOwnedBy(finding, owner);
  const known = [...history.known.values()].filter(isMeant);
  const fixed = history.fixed.filter(isMeant);
  const { days, from = today } = history;
  const week = dayBefore(today, PERIOD_DAYS);
  const before = days.findLast(({ day }) => day <= week) ?? days.find(({ day }) => day < today);
  const isRecent = (day: string): boolean => before !== undefined && day > before.day;
  const fresh = known.filter(({ since, is }) => isRecent(since) && is !== 'accepted');
  const recent = fixed.filter((finding) => isRecent(finding.fixed) && finding.is !== 'accepted');
  const unjudged = known.filter(({ is }) => is === 'unjudged');
  const { sameDay } = history;
  const countOpen = (findings: readonly HistoryFinding[]): number =>
    findings.filter((finding) => isMeant(finding) && finding.is !== 'accepted').length;
  const change = { known, fixed: recent, fresh, before };
  return {
    from,
    audits: history.audits,
    ...(before && { comparedWith: before.day }),
    new: fresh.length,
    fixed: recent.length,
    ...(sameDay && {
      sameDay: { at: sameDay.at, new: countOpen(sameDay.found), fixed: countOpen(sameDay.fixed) },
    }),
    fixedFindings: joinedEntries(recent).slice(-MAX_LISTED).reverse(),
    unjudged: unjudged.length,
    unjudgedFindings: joinedEntries(unjudged).slice(0, MAX_LISTED),
    trend: points(days, owner),
    byPolicy: rows(change, 'policies', ({ policy }) => (policy === undefined ? [] : [policyKey(policy)])),
    byOwner: rows(change, 'owners', ({ owners = [NO_OWNER] }) => owners),
    cleanPolicies: owner === undefined ? cleanPolicies(targets, history, today) : [],
    notes: history.notes,
  };
}

/** The last audits; a part of an owner has only its open findings. */
function points(days: readonly FoldedDay[], owner: string | undefined): readonly HistoryPoint[] {
  return days.slice(-MAX_POINTS).flatMap(({ day, counts, open }): HistoryPoint[] => {
    if (owner === undefined) return [{ day, ...counts }];
    return open === undefined ? [] : [{ day, open: openOf(open.owners, owner) }];
  });
}

/** Names of one owner may differ in case. */
function openOf(owners: Tally, owner: string): number {
  const meant = [...owners].filter(([name]) => isOwnedBy(name === NO_OWNER ? {} : { owners: [name] }, owner));
  return meant.reduce((sum, [, number]) => sum + number, 0);
}

interface Change {
  readonly known: readonly KnownFinding[];
  readonly fresh: readonly KnownFinding[];
  readonly fixed: readonly FixedFinding[];
  readonly before: FoldedDay | undefined;
}

/** Most open findings first. */
function rows(
  { known, fresh, fixed, before }: Change,
  of: 'policies' | 'owners',
  namesOf: (finding: HistoryFinding) => readonly string[],
): readonly BurnDown[] {
  const open = known.filter(({ is }) => is !== 'accepted');
  const now = tally(open, namesOf);
  const added = tally(fresh, namesOf);
  const removed = tally(fixed, namesOf);
  const oldest = new Map<string, string>();
  for (const finding of open) {
    for (const name of namesOf(finding)) {
      const known = oldest.get(name);
      if (known === undefined || finding.since < known) oldest.set(name, finding.since);
    }
  }
  const names = [...new Set([...now.keys(), ...removed.keys()])];
  return names
    .map((name): BurnDown => {
      const earlier = before?.open?.[of].get(name) ?? (before?.open === undefined ? undefined : 0);
      const since = oldest.get(name);
      return {
        name,
        open: now.get(name) ?? 0,
        ...(earlier !== undefined && { before: earlier }),
        new: added.get(name) ?? 0,
        fixed: removed.get(name) ?? 0,
        ...(since !== undefined && { since }),
      };
    })
    .sort((one, other) => other.open - one.open || (one.name < other.name ? -1 : 1))
    .slice(0, MAX_ROWS);
}

function tally<Item>(items: readonly Item[], namesOf: (item: Item) => readonly string[]): Tally {
  const counts = new Map<string, number>();
  for (const item of items) for (const name of namesOf(item)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** One entry for a rule and object, with all of its clusters. */
function joinedEntries(
  findings: readonly (HistoryFinding & { readonly since: string; readonly fixed?: string })[],
): readonly FixedEntry[] {
  const joined = new Map<string, { entry: Omit<FixedEntry, 'targets'>; targets: string[] }>();
  for (const { policy, rule, subject, path, owners, since, fixed, target } of findings) {
    const key = JSON.stringify([policy, rule, subject, fixed]);
    const known = joined.get(key);
    if (known === undefined) {
      const entry = {
        ...(policy && { policy }),
        rule,
        subject,
        since,
        ...(fixed !== undefined && { fixed }),
        ...(path !== undefined && { path }),
        ...(owners && { owners }),
      };
      joined.set(key, { entry, targets: target === undefined ? [] : [target] });
    } else {
      if (since < known.entry.since) known.entry = { ...known.entry, since };
      if (target !== undefined) known.targets.push(target);
    }
  }
  return [...joined.values()].map(({ entry, targets }) => ({ ...entry, targets: [...new Set(targets)].sort() }));
}

/** How long a policy has had no findings; accepted findings count as findings, because the cluster would deny the objects. */
export interface CleanTime {
  readonly since: string;
  readonly days: number;
  /** Audits in a row without findings. */
  readonly audits: number;
  /** False if some audit of the row could not judge everything. */
  readonly isComplete: boolean;
}

/** How long every audit has evaluated the policy and found nothing; undefined if it has findings, matches no object or was not evaluated. */
export function cleanTime(
  history: FoldedHistory,
  policy: { readonly kind: string; readonly name: string },
  today: string,
): CleanTime | undefined {
  const standing = history.policies.get(policyKey(policy));
  if (standing?.since === undefined) return undefined;
  const { since, completeSince, audits } = standing;
  return { since, days: daysFrom(since, today), audits, isComplete: completeSince === since };
}

function cleanPolicies(
  targets: Report['targets'],
  history: FoldedHistory,
  today: string,
): AuditHistory['cleanPolicies'] {
  const enforceable = enforceablePolicies(targets);
  return [...history.policies].sort(byKey).flatMap(([key, { completeSince }]) => {
    const slash = key.indexOf('/');
    const policy = { kind: key.slice(0, slash), name: key.slice(slash + 1) };
    const clean = cleanTime(history, policy, today);
    if (clean === undefined) return [];
    if (completeSince === undefined || !enforceable.has(key)) return [{ policy, ...clean }];
    const days = daysFrom(completeSince, today);
    const audited = history.days.filter(({ day }) => day >= completeSince).length;
    if (days < ENFORCEABLE_DAYS || audited < ENFORCEABLE_AUDITS) return [{ policy, ...clean }];
    return [{ policy, ...clean, canBeEnforced: { since: completeSince, days } }];
  });
}

/** Policies that only warn or audit, and that match an object, in each cluster that has them. */
function enforceablePolicies(targets: Report['targets']): ReadonlySet<string> {
  const all = new Map<string, boolean>();
  for (const policy of targets.flatMap(({ policies }) => policies)) {
    const key = policyKey(policy);
    const isReady = policy.neverDenies === true && policy.matched > 0 && policy.undecided === undefined;
    all.set(key, isReady && (all.get(key) ?? true));
  }
  return new Set([...all].flatMap(([key, isReady]) => (isReady ? [key] : [])));
}

function byKey([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : one === other ? 0 : 1;
}

function daysFrom(since: string, today: string): number {
  return Math.max(0, daysBetween(since, today));
}
