// Replays the lines of a history: which findings are known, since when, what was fixed, and the numbers of each day.
import { count } from '../wording/wording.ts';
import { dayBefore, trustedDays } from './days.ts';
import {
  type AuditLine,
  type FixedFinding,
  type HistoryDay,
  type HistoryFinding,
  type HistoryLine,
  isSummary,
  MAX_DAYS,
  MAX_FIXED,
  MAX_FOLLOWED,
  MAX_NAMES,
  type PolicyStanding,
  type SummaryLine,
} from './history-line.ts';
import { type ReadHistory, UNREADABLE } from './read-history.ts';

/** A finding with its first day; `for`: the render targets that must be rendered before it counts as fixed. */
export type KnownFinding = HistoryFinding & { readonly since: string; readonly for?: readonly string[] };

/** One day, with the open findings after its last audit. */
export interface FoldedDay extends HistoryDay {
  /** Open and undecided findings by `<kind>/<name>` of the policy, by owner and by cluster. Absent in days before a compaction. */
  readonly open?: { readonly policies: Tally; readonly owners: Tally; readonly clusters: Tally };
}

export type Tally = ReadonlyMap<string, number>;

export interface FoldedHistory {
  /** Number of audits. */
  readonly audits: number;
  /** Names of the last audits; see AuditLine. */
  readonly names: ReadonlySet<string>;
  /** Day of the first and last audit; absent without one. */
  readonly from?: string;
  readonly last?: string;
  readonly known: ReadonlyMap<string, KnownFinding>;
  /** Newest last. */
  readonly fixed: readonly FixedFinding[];
  readonly policies: ReadonlyMap<string, PolicyStanding>;
  /** Digests of the render targets that the last audit could not render. */
  readonly gaps: readonly string[];
  /** Commit of the last audit, if it is known. */
  readonly commit?: string;
  /** What the last audit changed, if another audit of the same day came before it. */
  readonly sameDay?: SameDayChange;
  /** One entry per day with an audit, oldest first. */
  readonly days: readonly FoldedDay[];
  /** Problems of the history, one sentence each. */
  readonly notes: readonly string[];
}

/** A day is the unit of all ages, so two audits of one day are compared on their own. */
export interface SameDayChange {
  /** When the audit before began. */
  readonly at: string;
  readonly found: readonly KnownFinding[];
  readonly fixed: readonly FixedFinding[];
}

/** Name of findings without an owner. */
export const NO_OWNER = '';

export function foldHistory({ entries, newer, unread }: ReadHistory, today: string): FoldedHistory {
  const lines = entries.filter((entry): entry is HistoryLine => entry !== UNREADABLE);
  const { days, distrusted } = trustedDays(
    lines.map(({ at }) => at),
    today,
  );
  const replay = new Replay();
  let index = 0;
  let unreadable = 0;
  for (const entry of entries) {
    if (entry === UNREADABLE) {
      unreadable += 1;
      replay.skip();
    } else {
      const day = days[index] as string;
      index += 1;
      if (isSummary(entry)) replay.summary(entry);
      else replay.audit(entry, day);
    }
  }
  const broken = unreadable - newer - (unread > 0 ? 1 : 0);
  return replay.result([
    ...(newer > 0
      ? [
          `The history has ${count(newer, 'line')} of a newer version of Preadmit. Update Preadmit; until then, no audit is added.`,
        ]
      : []),
    ...(unread > 0 ? ['The history is too long: its oldest audits were not read.'] : []),
    ...(broken > 0
      ? [
          `${count(broken, 'line')} of the history cannot be read. Findings that began there appear younger than they are.`,
        ]
      : []),
    ...distrusted.slice(0, MAX_CLOCK_NOTES).map((at) => {
      const written = (lines[at] as HistoryLine).at.slice(0, 10);
      return `An audit of the history is dated ${written}, which does not fit the audits before and after it. It counts for ${days[at]}.`;
    }),
  ]);
}

const MAX_CLOCK_NOTES = 3;

class Replay {
  readonly #known = new Map<string, KnownFinding>();
  #fixed: FixedFinding[] = [];
  readonly #policies = new Map<string, PolicyStanding>();
  readonly #days = new Map<string, FoldedDay>();
  readonly #names = new Set<string>();
  readonly #open = { policies: new Counter(), owners: new Counter(), clusters: new Counter() };
  #audits = 0;
  #from: string | undefined;
  #last: string | undefined;
  #at: string | undefined;
  #commit: string | undefined;
  #sameDay: SameDayChange | undefined;
  #gaps: readonly string[] = [];

  /** A summary replaces the state, because it contains all lines before it. */
  summary({ at, audits, names, from, findings, fixed, policies, gaps, days }: SummaryLine): void {
    for (const finding of [...this.#known.values()]) this.#forget(finding.id);
    for (const finding of findings) this.#remember(finding);
    this.#fixed = [...fixed];
    this.#policies.clear();
    for (const [name, standing] of Object.entries(policies)) this.#policies.set(name, standing);
    for (const name of names) this.#names.add(name);
    for (const day of days) this.#days.set(day.day, day);
    this.#gaps = gaps;
    this.#audits = audits;
    this.#from = from;
    this.#last = days.at(-1)?.day ?? from;
    this.#at = at;
    this.#commit = undefined;
    this.#sameDay = undefined;
  }

  /** An unreadable audit may have had findings, so it ends every row of audits without findings. */
  skip(): void {
    for (const [name, { is }] of this.#policies) this.#policies.set(name, { is, audits: 0 });
  }

  audit(line: AuditLine, day: string): void {
    if (this.#names.has(line.audit)) return;
    this.#names.add(line.audit);
    this.#audits += 1;
    this.#from ??= day;
    const isSameDay = this.#last === day && [this.#at, line.at].every((at) => at?.startsWith(day));
    const change = { at: this.#at ?? '', found: [] as KnownFinding[], fixed: [] as FixedFinding[] };
    this.#last = day;
    this.#at = line.at;
    this.#commit = line.commit;
    this.#sameDay = isSameDay ? change : undefined;
    for (const found of line.found) {
      const before = this.#known.get(found.id);
      const since = earlier(before?.since, found.since ?? day);
      const finding = { ...found, since: since > day ? day : since };
      this.#remember(finding);
      if (before === undefined) change.found.push(finding);
    }
    for (const id of line.gone) {
      const known = this.#known.get(id);
      if (known === undefined) continue;
      this.#forget(id);
      const { for: _for, ...finding } = known;
      this.#fixed.push({ ...finding, fixed: day });
      change.fixed.push({ ...finding, fixed: day });
    }
    for (const { id, for: blockers } of line.unjudged) {
      const known = this.#known.get(id);
      if (known !== undefined) this.#remember({ ...known, is: 'unjudged', for: blockers });
    }
    if (line.gaps !== undefined) this.#gaps = line.gaps;
    for (const [name, state] of Object.entries(line.policies)) {
      if (state === null) this.#policies.delete(name);
      else this.#policies.set(name, { ...(this.#policies.get(name) ?? { audits: 0 }), is: state });
    }
    for (const [name, standing] of this.#policies) this.#policies.set(name, continued(standing, day));
    const { conclusion, counts } = line;
    const { policies, owners, clusters } = this.#open;
    const open = { policies: policies.copy(), owners: owners.copy(), clusters: clusters.copy() };
    this.#days.delete(day);
    this.#days.set(day, { day, conclusion, counts, open });
  }

  #remember(finding: KnownFinding): void {
    if (this.#known.size >= MAX_FOLLOWED && !this.#known.has(finding.id)) return;
    this.#forget(finding.id);
    this.#known.set(finding.id, finding);
    this.#count(finding, 1);
  }

  #forget(id: string): void {
    const known = this.#known.get(id);
    if (known === undefined) return;
    this.#known.delete(id);
    this.#count(known, -1);
  }

  #count(finding: KnownFinding, by: number): void {
    if (finding.is === 'accepted') return;
    if (finding.policy !== undefined) this.#open.policies.add(policyKey(finding.policy), by);
    for (const owner of finding.owners ?? [NO_OWNER]) this.#open.owners.add(owner, by);
    if (finding.target !== undefined) this.#open.clusters.add(finding.target, by);
  }

  result(notes: readonly string[]): FoldedHistory {
    return {
      audits: this.#audits,
      names: new Set([...this.#names].slice(-MAX_NAMES)),
      ...(this.#from !== undefined && { from: this.#from }),
      ...(this.#last !== undefined && { last: this.#last }),
      known: this.#known,
      fixed: this.#fixed.slice(-MAX_FIXED),
      policies: this.#policies,
      gaps: this.#gaps,
      ...(this.#commit !== undefined && { commit: this.#commit }),
      ...(this.#sameDay && { sameDay: this.#sameDay }),
      days: [...this.#days.values()].slice(-MAX_DAYS),
      notes,
    };
  }
}

/** An audit adds itself to the row of audits without findings, or ends it. */
function continued({ is, since, completeSince, audits }: PolicyStanding, day: string): PolicyStanding {
  if (is !== 'clean' && is !== 'partial') return { is, audits: 0 };
  const complete = is === 'clean' ? (completeSince ?? day) : undefined;
  return { is, since: since ?? day, ...(complete !== undefined && { completeSince: complete }), audits: audits + 1 };
}

function earlier(one: string | undefined, other: string): string {
  return one !== undefined && one < other ? one : other;
}

export function policyKey({ kind, name }: { readonly kind: string; readonly name: string }): string {
  return `${kind}/${name}`;
}

/** Counts that change little from day to day. */
class Counter {
  readonly #counts = new Map<string, number>();

  add(name: string, by: number): void {
    const now = (this.#counts.get(name) ?? 0) + by;
    if (now === 0) this.#counts.delete(name);
    else this.#counts.set(name, now);
  }

  copy(): Tally {
    return new Map(this.#counts);
  }
}

/** The history as one line, which replaces all lines that were folded. Days older than 90 are thinned to one a week. */
export function summaryLine(history: FoldedHistory, at: string): SummaryLine {
  const { audits, names, from, last, known, fixed, policies, gaps, days } = history;
  const recent = dayBefore(last ?? at.slice(0, 10), 90);
  return {
    v: 1,
    at,
    audits,
    names: [...names],
    from: from ?? at.slice(0, 10),
    findings: [...known.values()],
    fixed,
    policies: Object.fromEntries(policies),
    gaps,
    days: days
      .filter(({ day }, index) => day > recent || index % 7 === 0)
      .map(({ day, conclusion, counts }) => ({ day, conclusion, counts })),
  };
}
