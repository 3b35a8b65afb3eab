// The history of an audit as sentences and lists, which every format for people shows.
import type { AuditHistory, BurnDown, FixedEntry } from '../audit/audit-history.ts';
import { acceptedItems, openDiagnostics, openFindings } from '../baseline/excuse.ts';
import { isUndecided } from '../gate/undecided.ts';
import type { Finding, Report, ReportedDiagnostic } from '../report.ts';
import { count, resourceLabel, ruleId } from '../wording/wording.ts';
import { daysBetween, dayWords, sinceWords } from './days.ts';
import { ENFORCEABLE_DAYS } from './with-history.ts';

/** Acceptances that end within these days are listed. */
const ENDS_SOON = 30;
const OLDEST = 10;

export interface AuditItem {
  /** `Deployment shop/web`, or a file or render target. */
  readonly subject: string;
  /** `replica-limit/validations[0]`, or the diagnostic code; absent: the item is about a policy. */
  readonly rule?: string;
  /** Contains texts of the repository, so formats must escape it. */
  readonly words: string;
}

export interface AuditList {
  readonly title: string;
  /** Number of all items, where the report lists fewer. */
  readonly all: number;
  readonly items: readonly AuditItem[];
}

export interface AuditWords {
  /** One sentence each. */
  readonly sentences: readonly string[];
  readonly lists: readonly AuditList[];
}

export function auditWords(report: Report, history: AuditHistory, today: string): AuditWords {
  const ending = endingItems(report, today);
  const unknowns = [...report.findings, ...report.diagnostics].filter(
    (entry) => entry.excuse !== undefined && isUndecided(entry),
  ).length;
  const ready = enforceableItems(history);
  const fresh = freshEntries(report, history).map((entry) => itemOf(entry, history, today));
  return {
    sentences: [
      changeSentence(history, today),
      ...sameDaySentences(history, today),
      ...(history.unjudged > 0
        ? [
            `${count(history.unjudged, 'finding')} of earlier audits could not be judged again and ${history.unjudged === 1 ? 'counts' : 'count'} as open.`,
          ]
        : []),
      ...(ending.length > 0
        ? [`${count(ending.length, 'acceptance')} ${ending.length === 1 ? 'ends' : 'end'} within ${ENDS_SOON} days.`]
        : []),
      ...(unknowns > 0 ? [`${count(unknowns, 'unknown')} ${unknowns === 1 ? 'is' : 'are'} accepted, not judged.`] : []),
      ...(ready.length > 0
        ? [
            `${count(ready.length, 'policy', 'policies')} that only ${ready.length === 1 ? 'warns or audits' : 'warn or audit'} can be enforced: no findings for at least ${ENFORCEABLE_DAYS} days.`,
          ]
        : []),
      ...history.notes,
    ],
    lists: [
      { title: 'New', all: fresh.length, items: fresh },
      list(
        'Fixed',
        history.fixed,
        history.fixedFindings,
        (entry) => `${ageWords(entry.since, history.from, today)}, fixed ${dayWords(entry.fixed ?? today, today)}`,
      ),
      list('Not judged again', history.unjudged, history.unjudgedFindings, ({ since }) =>
        ageWords(since, history.from, today),
      ),
      oldest(report, history, today),
      { title: `Acceptances that end within ${ENDS_SOON} days`, all: ending.length, items: ending },
      { title: 'Policies that can be enforced', all: ready.length, items: ready },
    ].filter(({ items }) => items.length > 0),
  };
}

/** `Since 17 Nov: 3 new, 2 fixed. 60 audits since 26 Sep.` */
function changeSentence({ from, audits, comparedWith, new: fresh, fixed }: AuditHistory, today: string): string {
  if (comparedWith === undefined) {
    return 'The history begins today: findings may be older.';
  }
  const since = `Since ${dayWords(comparedWith, today)}: ${fresh} new, ${fixed} fixed.`;
  return `${since} The history has ${count(audits, 'audit')} since ${dayWords(from, today)}.`;
}

/** `Since the audit of 24 Nov, 05:17 UTC: 1 new, 2 fixed.` */
export function sameDaySentences({ sameDay }: AuditHistory, today: string): readonly string[] {
  if (sameDay === undefined) return [];
  const { at, new: fresh, fixed } = sameDay;
  return [
    `Since the audit of ${dayWords(at.slice(0, 10), today)}, ${at.slice(11, 16)} UTC: ${fresh} new, ${fixed} fixed.`,
  ];
}

/** Entries that no audit up to `comparedWith` has reported. */
function freshEntries(report: Report, { comparedWith }: AuditHistory): readonly (Finding | ReportedDiagnostic)[] {
  if (comparedWith === undefined) return [];
  return openEntries(report).filter(({ since }) => since !== undefined && since > comparedWith);
}

function oldest(report: Report, history: AuditHistory, today: string): AuditList {
  const dated = openEntries(report).filter(({ since }) => since !== undefined && since < today);
  const sorted = [...dated].sort((one, other) =>
    (one.since as string) < (other.since as string) ? -1 : one.since === other.since ? 0 : 1,
  );
  const items = sorted.slice(0, OLDEST).map((entry) => itemOf(entry, history, today));
  return { title: 'Oldest', all: items.length, items };
}

function openEntries({ findings, diagnostics }: Report): readonly (Finding | ReportedDiagnostic)[] {
  return [...openDiagnostics(diagnostics), ...openFindings(findings)];
}

function itemOf(entry: Finding | ReportedDiagnostic, { from }: AuditHistory, today: string): AuditItem {
  const { since = today, owners = [] } = entry;
  const age = ageWords(since, from, today);
  const isFinding = 'rule' in entry;
  const subject =
    entry.resource === undefined ? ('subject' in entry ? entry.subject : undefined) : resourceLabel(entry.resource);
  return {
    subject: subject ?? entry.primary?.path ?? '',
    rule: isFinding ? ruleId(entry) : entry.code,
    words: [age, ...(isUndecided(entry) ? ['undecided'] : []), ...owners].join(', '),
  };
}

function list(
  title: string,
  all: number,
  entries: readonly FixedEntry[],
  wordsOf: (entry: FixedEntry) => string,
): AuditList {
  return {
    title,
    all: Math.max(all, entries.length),
    items: entries.map((entry) => {
      const { policy, rule, subject, owners = [] } = entry;
      const name = policy === undefined ? rule : `${policy.name}/${rule}`;
      return { subject, rule: name, words: [wordsOf(entry), ...owners].join(', ') };
    }),
  };
}

/** Only policies that every audit could evaluate on some object. */
function enforceableItems({ cleanPolicies }: AuditHistory): readonly AuditItem[] {
  return cleanPolicies.flatMap(({ policy, canBeEnforced }) =>
    canBeEnforced === undefined
      ? []
      : [{ subject: `${policy.kind} ${policy.name}`, words: enforceableWords(canBeEnforced.days) }],
  );
}

/** `days`: since the first audit without findings. */
export function enforceableWords(days: number): string {
  return `0 findings for ${count(days, 'day')}: can be enforced`;
}

function endingItems(report: Report, today: string): readonly AuditItem[] {
  return acceptedItems(report).flatMap(({ subject, rule, excuse: { expires, owner, by } }) => {
    if (by === 'exception' || expires === undefined || expires < today || daysBetween(today, expires) > ENDS_SOON)
      return [];
    return [
      {
        subject,
        rule,
        words: [`until ${dayWords(expires, today)}`, ...(owner === undefined ? [] : [owner])].join(', '),
      },
    ];
  });
}

/** A finding of the first audit may be older than the history. */
function ageWords(since: string, from: string, today: string): string {
  return since === from && since < today ? `${sinceWords(since, today)} or more` : sinceWords(since, today);
}

/** A row of a burn-down table. */
export function burnDownRow(
  { name, open, before, new: fresh, fixed, since }: BurnDown,
  today: string,
): readonly string[] {
  return [
    name === '' ? 'no owner' : name,
    String(open),
    before === undefined ? '' : signed(open - before),
    String(fresh),
    String(fixed),
    since === undefined ? '' : dayWords(since, today),
  ];
}

export const BURN_DOWN_COLUMNS = ['open', 'change', 'new', 'fixed', 'oldest'] as const;

/** `+3`, `−2`, `±0`. */
export function signed(change: number): string {
  return change > 0 ? `+${change}` : change < 0 ? `−${-change}` : '±0';
}

const BARS = '▁▂▃▄▅▆▇█';

/** One bar per value; the highest has full height. */
export function bars(values: readonly number[]): string {
  const highest = values.reduce((most, value) => Math.max(most, value), 1);
  return values.map((value) => BARS[Math.ceil((value / highest) * (BARS.length - 1))]).join('');
}

/** Formats for people name policies without their kind. */
export function policyRows({ byPolicy }: AuditHistory): readonly BurnDown[] {
  return byPolicy.map((row) => ({ ...row, name: row.name.slice(row.name.indexOf('/') + 1) }));
}
