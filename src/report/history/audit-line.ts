// Makes the line that an audit adds to its history: what is new, what changed, what is gone, and what can no longer be judged.
import { diagnosticSubject } from '../baseline/baseline.ts';
import { fingerprint } from '../finding/fingerprint.ts';
import { isUndecided, openPolicies } from '../gate/undecided.ts';
import type { Report } from '../report.ts';
import { resourceLabel } from '../wording/wording.ts';
import { type FoldedHistory, type KnownFinding, policyKey } from './fold-history.ts';
import {
  type AuditLine,
  cutText,
  HISTORY_VERSION,
  type HistoryCounts,
  type HistoryFinding,
  MAX_FOLLOWED,
  type PolicyCondition,
} from './history-line.ts';
import { reportedFindings } from './reported-findings.ts';

export interface AuditStamp {
  /** Unique for each audit. */
  readonly audit: string;
  /** When it began, in UTC: `2026-11-24T05:17:00Z`. */
  readonly at: string;
  readonly commit?: string;
  /** Commits that contain `commit`: if one of them was audited last, this audit shows an earlier state and is not added. */
  readonly newerCommits?: ReadonlySet<string>;
}

const MAX_GAPS = 1_000;

/** `report`: of the whole repository, not of a change, a shard or an unusable configuration. */
export function auditLine(report: Report, history: FoldedHistory, { audit, at, commit }: AuditStamp): AuditLine {
  const reported = reportedFindings(report);
  const unseen = unseenPlaces(report);
  const gaps = unseen.roots.map((name) => fingerprint([name]));
  const known = new Set(history.gaps);
  const newGaps = gaps.filter((gap) => !known.has(gap));
  const vanished = [...history.known.values()].filter(({ id }) => !reported.has(id));
  const unjudged: AuditLine['unjudged'][number][] = [];
  const gone: KnownFinding[] = [];
  for (const finding of vanished) {
    const blockers = blockersOf(finding, { unseen, gaps, newGaps });
    if (blockers === undefined) gone.push(finding);
    else if (finding.is !== 'unjudged' || !sameTexts(finding.for, blockers))
      unjudged.push({ id: finding.id, for: blockers });
  }
  const moved = sinceOfMoved(
    gone,
    [...reported.values()].filter(({ id }) => !history.known.has(id)),
  );
  const found = [...reported.values()].flatMap((finding): HistoryFinding[] => {
    const before = history.known.get(finding.id);
    if (before !== undefined && isSame(before, finding)) return [];
    const since = moved.get(finding.id);
    return [since === undefined ? finding : { ...finding, since }];
  });
  const isFull = gaps.length > MAX_GAPS;
  return {
    v: HISTORY_VERSION,
    audit,
    at,
    ...(commit !== undefined && { commit }),
    conclusion: report.verdict.conclusion,
    counts: countsOf(report),
    found: found.slice(0, MAX_FOLLOWED),
    gone: gone.map(({ id }) => id),
    unjudged,
    policies: changedPolicies(report, history, unseen.isAny),
    ...(!sameTexts(history.gaps, gaps) && { gaps: isFull ? gaps.slice(0, MAX_GAPS) : gaps }),
  };
}

interface Unseen {
  /** True if the audit cannot show for any finding that it is gone. */
  readonly everything: boolean;
  /** True if anything was not judged. */
  readonly isAny: boolean;
  /** Render targets that were not rendered, or without a part. */
  readonly roots: readonly string[];
  /** Names of render targets and files with a problem. */
  readonly subjects: ReadonlySet<string>;
  /** Objects, and objects with the name of a policy. */
  readonly objects: ReadonlySet<string>;
  readonly policies: ReadonlySet<string>;
}

/** Where findings may be that the audit does not report. Acceptance of a gap does not make it visible. */
function unseenPlaces(report: Report): Unseen {
  const { findings, diagnostics, unlisted, verdict } = report;
  const roots = new Set<string>();
  const subjects = new Set<string>();
  const objects = new Set<string>();
  const policies = new Set<string>();
  for (const diagnostic of diagnostics) {
    const { code, severity, policy, resource, subjects: many = [] } = diagnostic;
    if (severity !== 'error' && !isUndecided(diagnostic)) continue;
    if (policy !== undefined && resource === undefined) policies.add(policy);
    const named = many.length > 0 ? many : [diagnosticSubject(diagnostic) ?? ''];
    for (const subject of named) {
      if (resource === undefined) subjects.add(subjectOf(subject));
      else objects.add(policy === undefined ? cutText(subject) : `${policy} ${cutText(subject)}`);
      if (code === 'not-rendered') roots.add(subjectOf(subject));
    }
  }
  for (const finding of findings) {
    if (isUndecided(finding)) objects.add(`${finding.policy.name} ${cutText(resourceLabel(finding.resource))}`);
  }
  const isCut = unlisted !== undefined && Object.values(unlisted).some((number) => number > 0);
  const everything = isCut || verdict.conclusion === 'nothing-checked';
  const isAny = everything || findings.some(isUndecided) || diagnostics.some(isUndecided);
  return { everything, isAny, roots: [...roots].sort(), subjects, objects, policies };
}

/** `HelmRelease apps/podinfo without …` is a problem of the render target. */
function subjectOf(subject: string): string {
  return cutText(subject.split(' without ')[0] ?? subject);
}

/**
 * Why a finding that is not reported may still exist: the digests of the render targets that may contain it, or an empty list if its own
 * place was not judged. Undefined: it is gone. A render target that becomes unreadable may have contained the declaration of another one,
 * so it blocks all findings in rendered objects that vanish in the same audit.
 */
function blockersOf(
  finding: KnownFinding,
  {
    unseen,
    gaps,
    newGaps,
  }: { readonly unseen: Unseen; readonly gaps: readonly string[]; readonly newGaps: readonly string[] },
): readonly string[] | undefined {
  const { policy, subject, path, roots = [], for: before = [] } = finding;
  const isHidden =
    unseen.everything ||
    unseen.objects.has(subject) ||
    unseen.subjects.has(subject) ||
    (path !== undefined && unseen.subjects.has(path)) ||
    roots.some((root) => unseen.subjects.has(root)) ||
    (policy !== undefined && (unseen.policies.has(policy.name) || unseen.objects.has(`${policy.name} ${subject}`)));
  const still = before.filter((gap) => gaps.includes(gap));
  const blockers = finding.is === 'unjudged' ? still : roots.length > 0 ? newGaps.slice(0, 20) : [];
  return isHidden || blockers.length > 0 ? blockers : undefined;
}

/** A problem of a file is identified by the path of the file. If the file moves, the same problem at the new path keeps the age. */
function sinceOfMoved(gone: readonly KnownFinding[], fresh: readonly HistoryFinding[]): ReadonlyMap<string, string> {
  const keyOf = ({ rule, severity }: HistoryFinding): string => `${severity} ${rule}`;
  const left = new Map<string, KnownFinding[]>();
  for (const finding of gone) {
    if (finding.policy !== undefined || finding.subject !== finding.path) continue;
    left.set(keyOf(finding), [...(left.get(keyOf(finding)) ?? []), finding]);
  }
  const since = new Map<string, string>();
  for (const finding of fresh) {
    if (finding.policy !== undefined || finding.subject !== finding.path) continue;
    const candidates = left.get(keyOf(finding)) ?? [];
    const name = finding.path.slice(finding.path.lastIndexOf('/') + 1);
    const at = candidates.findIndex(({ path = '' }) => path.slice(path.lastIndexOf('/') + 1) === name);
    if (at < 0) continue;
    const [old] = candidates.splice(at, 1) as [KnownFinding];
    since.set(finding.id, old.since);
  }
  return since;
}

function isSame(known: KnownFinding, now: HistoryFinding): boolean {
  const { since: _since, for: _for, ...before } = known;
  return JSON.stringify(ordered(before)) === JSON.stringify(ordered(now));
}

function ordered({
  id,
  is,
  severity,
  policy,
  rule,
  subject,
  target,
  path,
  owners,
  roots,
}: HistoryFinding): readonly unknown[] {
  return [id, is, severity, policy?.kind, policy?.name, rule, subject, target, path, owners, roots];
}

function sameTexts(one: readonly string[] = [], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index]);
}

/** The numbers of a report in its history. */
export function countsOf({ verdict, coverage, findings, diagnostics }: Report): HistoryCounts {
  const { denied, warned, audited, errors, undecided, open, notRendered, incomplete, unread } = verdict;
  const accepted = [...findings, ...diagnostics].filter(({ excuse }) => excuse !== undefined).length;
  return {
    denied,
    warned,
    audited,
    errors,
    undecided: undecided + open + notRendered + incomplete + unread,
    accepted,
    evaluated: coverage.evaluated,
  };
}

/** Accepted findings count too: the cluster would deny the objects. */
function changedPolicies(report: Report, history: FoldedHistory, isPartial: boolean): AuditLine['policies'] {
  const open = openPolicies(report);
  const withFindings = new Set(report.findings.map(({ policy }) => policyKey(policy)));
  const now = new Map<string, PolicyCondition>();
  for (const { policies } of report.targets) {
    for (const policy of policies) {
      const key = cutText(policyKey(policy));
      const before = now.get(key);
      const state = stateOf({
        isFound: withFindings.has(policyKey(policy)),
        isOpen: open.has(policy.name) || (policy.undecided ?? 0) > 0 || before === 'undecided',
        isMatched: policy.matched > 0 || (before !== undefined && before !== 'idle'),
        isPartial,
      });
      now.set(key, state);
    }
  }
  const changed = [...now].filter(([name, state]) => history.policies.get(name)?.is !== state);
  const gone = [...history.policies.keys()].filter((name) => !now.has(name));
  return Object.fromEntries([...changed, ...gone.map((name) => [name, null] as const)]);
}

function stateOf(policy: {
  readonly isFound: boolean;
  readonly isOpen: boolean;
  readonly isMatched: boolean;
  readonly isPartial: boolean;
}): PolicyCondition {
  if (policy.isFound) return 'found';
  if (policy.isOpen) return 'undecided';
  if (!policy.isMatched) return 'idle';
  return policy.isPartial ? 'partial' : 'clean';
}
