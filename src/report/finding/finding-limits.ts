// Limits the number of findings in a report, because a hostile repository can cause millions.

import type { Finding, ResourceName, Severity, UnlistedFindings } from '../report.ts';
import { compareText, sortedFindings } from './finding-order.ts';

/** Per object; keeps the most severe. */
export const MAX_FINDINGS_OF_OBJECT = 200;
/** Per run. */
export const MAX_FINDINGS = 50_000;

export const NOTHING_UNLISTED: UnlistedFindings = { error: 0, warning: 0, notice: 0 };

export const SEVERITY_RANK: Record<Severity, number> = { error: 0, warning: 1, notice: 2 };

export interface LimitedFindings {
  readonly findings: readonly Finding[];
  readonly unlisted: UnlistedFindings;
}

/** Sort key that decides whether a finding is listed; it does not need the location. */
export interface FindingRank {
  readonly severity: Severity;
  /** Equal for all findings of an object in one target and root. */
  readonly object: string;
  /** Sorts the findings of an object. */
  readonly speaker: string;
  /** Equal for findings that were added together for one object; absent: added alone. */
  readonly batch?: object;
  /** Cached order by `speaker` within severity and batch. */
  turn?: number | undefined;
}

/**
 * Keeps the most severe findings; within a severity, the first of every object, then the second of every object, and so on. The result does
 * not depend on the input order. A denied object stays denied, and limiting shards before merging gives the same result as limiting once.
 */
export function limitFindings(findings: readonly Finding[], max = MAX_FINDINGS): LimitedFindings {
  if (findings.length <= max) return { findings, unlisted: NOTHING_UNLISTED };
  const { kept, unlisted } = limitRanked(sortedFindings(findings), rankOf, max);
  return { findings: kept, unlisted };
}

/** Maximum number of listed findings per object, by severity. */
export type Turns = Readonly<Record<Severity, number>>;

export const ALL_TURNS: Turns = {
  error: Number.POSITIVE_INFINITY,
  warning: Number.POSITIVE_INFINITY,
  notice: Number.POSITIVE_INFINITY,
};

interface Ranked<Item> {
  readonly kept: readonly Item[];
  readonly unlisted: UnlistedFindings;
}

/** Like `limitFindings`, but keeps the order of `items`. If something is dropped, `turns` also limits all later items. */
export function limitRanked<Item>(
  items: readonly Item[],
  rank: (item: Item) => FindingRank,
  max: number,
): Ranked<Item> & { readonly turns: Turns } {
  const isChosen = new Uint8Array(items.length);
  let chosen = 0;
  const unlisted = { ...NOTHING_UNLISTED };
  const turns = { ...ALL_TURNS };
  const ranks = items.map(rank);
  for (const severity of SEVERITIES) {
    const queues = queuesOf(ranks, severity);
    for (const queue of queues) unlisted[severity] += queue.length;
    let turn = 0;
    for (let waiting = queues; waiting.length > 0 && chosen < max; turn++) {
      waiting = waiting.filter(({ length }) => length > turn);
      for (const queue of waiting.slice(0, max - chosen)) {
        isChosen[queue[turn] as number] = 1;
        chosen += 1;
        unlisted[severity] -= 1;
      }
    }
    if (unlisted[severity] > 0) turns[severity] = turn;
  }
  return { kept: items.filter((_, index) => isChosen[index] === 1), unlisted, turns };
}

/** Findings of one object that can still be listed, in their order. */
export function firstTurns<Item extends FindingRank>(items: readonly Item[], turns: Turns): Ranked<Item> {
  if (items.length <= Math.min(turns.error, turns.warning, turns.notice)) {
    return { kept: items, unlisted: NOTHING_UNLISTED };
  }
  const isLate = new Uint8Array(items.length);
  const unlisted = { ...NOTHING_UNLISTED };
  for (const severity of SEVERITIES) {
    if (items.length <= turns[severity]) continue;
    for (const queue of queuesOf(items, severity)) {
      for (const index of queue.slice(turns[severity])) {
        isLate[index] = 1;
        unlisted[severity] += 1;
      }
    }
  }
  return { kept: items.filter((_, index) => isLate[index] === 0), unlisted };
}

/** Indices of the findings of one severity: one queue per object in listing order, sorted by object. */
function queuesOf(ranks: readonly FindingRank[], severity: Severity): readonly (readonly number[])[] {
  const objects = new Map<string, number[]>();
  let last: { readonly object: string; readonly queue: number[] } | undefined;
  for (let index = 0; index < ranks.length; index++) {
    const { severity: own, object } = ranks[index] as FindingRank;
    if (own !== severity) continue;
    if (last?.object !== object) {
      const queue = objects.get(object) ?? [];
      objects.set(object, queue);
      last = { object, queue };
    }
    last.queue.push(index);
  }
  return [...objects].sort(([one], [other]) => compareText(one, other)).map(([, queue]) => inTurn(queue, ranks));
}

/** Sorted by speaker. */
function inTurn(queue: readonly number[], ranks: readonly FindingRank[]): readonly number[] {
  if (queue.length === 1) return queue;
  const batch = ranks[queue[0] as number]?.batch;
  const isBatch = batch !== undefined && queue.every((index) => ranks[index]?.batch === batch);
  if (isBatch && queue.every((index) => ranks[index]?.turn !== undefined)) {
    return [...queue].sort((one, other) => (ranks[one]?.turn ?? 0) - (ranks[other]?.turn ?? 0));
  }
  const speaking = queue.map((index) => ({ index, speaker: (ranks[index] as FindingRank).speaker }));
  speaking.sort((one, other) => compareText(one.speaker, other.speaker) || one.index - other.index);
  for (const [turn, { index }] of speaking.entries()) if (isBatch) (ranks[index] as FindingRank).turn = turn;
  return speaking.map(({ index }) => index);
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'notice'];

export function rankOf({
  severity,
  target,
  roots,
  resource,
  policy,
  binding,
  param,
  rule,
  message,
}: Finding): FindingRank {
  return {
    severity,
    object: rankedObject(target, roots?.[0], resource),
    get speaker() {
      return speakerOf(policy, binding, param, rule.field, message);
    },
  };
}

/** Object key of a finding; objects with the same name in two files share one queue. */
export function rankedObject(target: string, root: string | undefined, resource: ResourceName): string {
  const { apiVersion, kind, namespace, name } = resource;
  return [target, root, apiVersion, kind, namespace, name].join('\0');
}

/** Sort key: policy, binding, param, rule and message. */
export function speakerOf(
  policy: Finding['policy'],
  binding: string | undefined,
  param: ResourceName | undefined,
  rule: string,
  message: string,
): string {
  return [policy.kind, policy.name, binding, param?.namespace, param?.name, rule, message].join('\0');
}

/** Equal for all findings of an object in one target. Fields of a rendered object may have locations in several files. */
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

/** Counts that exceed `known`. */
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
