// Reads the text of a history. Anyone who may write to its branch or file may have changed it, so every field is validated.
import { sanitizeLine } from '../../diagnostic/sanitize.ts';
import { isDay } from './days.ts';
import {
  type AuditLine,
  COUNT_NAMES,
  cutList,
  cutText,
  type FindingState,
  type FixedFinding,
  HISTORY_VERSION,
  type HistoryCounts,
  type HistoryDay,
  type HistoryFinding,
  type HistoryLine,
  MAX_DAYS,
  MAX_FIXED,
  MAX_FOLLOWED,
  MAX_NAMES,
  POLICY_STATES,
  type PolicyCondition,
  type PolicyStanding,
  type SummaryLine,
} from './history-line.ts';

/** Longest text that is read; of a longer one, the end. A history is compacted far below it. */
const MAX_HISTORY_CHARACTERS = 32 * 1024 * 1024;
const MAX_LINES = 5_000;
const MAX_POLICIES = 5_000;
const MAX_GAPS = 1_000;

/** Place of a line that could not be read. */
export const UNREADABLE = 'unreadable';
export type HistoryEntry = HistoryLine | typeof UNREADABLE;

export interface ReadHistory {
  readonly entries: readonly HistoryEntry[];
  /** Lines of a newer version of Preadmit, which must not be rewritten. */
  readonly newer: number;
  /** Characters that were not read, because the text is too long. */
  readonly unread: number;
}

export function readHistory(text: string): ReadHistory {
  const start =
    text.length <= MAX_HISTORY_CHARACTERS ? 0 : text.indexOf('\n', text.length - MAX_HISTORY_CHARACTERS) + 1;
  const lines = text.slice(start).split('\n');
  const entries: HistoryEntry[] = start > 0 ? [UNREADABLE] : [];
  let newer = 0;
  for (const line of lines.slice(-MAX_LINES)) {
    if (line.trim() === '') continue;
    const read = readLine(line);
    if (read === 'newer') newer += 1;
    entries.push(read === 'newer' ? UNREADABLE : read);
  }
  return { entries, newer, unread: start };
}

function readLine(text: string): HistoryEntry | 'newer' {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return UNREADABLE;
  }
  if (!isObject(value)) return UNREADABLE;
  const { v, at } = value;
  if (typeof v === 'number' && v > HISTORY_VERSION) return 'newer';
  if (v !== HISTORY_VERSION || typeof at !== 'string' || !isMoment(at)) return UNREADABLE;
  try {
    return 'audit' in value ? auditOf(value, at) : summaryOf(value, at);
  } catch (error) {
    if (error instanceof InvalidLine) return UNREADABLE;
    throw error;
  }
}

class InvalidLine extends Error {}

type Fields = Readonly<Record<string, unknown>>;

function auditOf(value: Fields, at: string): AuditLine {
  const { commit, gaps } = value;
  return {
    v: HISTORY_VERSION,
    audit: textOf(value['audit']),
    at,
    ...(commit !== undefined && { commit: textOf(commit) }),
    conclusion: conclusionOf(value['conclusion']),
    counts: countsOf(value['counts']),
    found: listOf(value['found'], MAX_FOLLOWED).map(findingOf),
    gone: listOf(value['gone'], MAX_FOLLOWED).map(idOf),
    unjudged: listOf(value['unjudged'], MAX_FOLLOWED).map((each) => {
      const fields = objectOf(each);
      return { id: idOf(fields['id']), for: textsOf(fields['for']) };
    }),
    policies: Object.fromEntries(
      policiesOf(value['policies']).map(([name, state]) => [name, state === null ? null : stateOf(state)]),
    ),
    ...(gaps !== undefined && { gaps: listOf(gaps, MAX_GAPS).map(textOf) }),
  };
}

function summaryOf(value: Fields, at: string): SummaryLine {
  return {
    v: HISTORY_VERSION,
    at,
    audits: numberOf(value['audits']),
    names: listOf(value['names'], MAX_NAMES).map(textOf),
    from: dayOf(value['from']),
    findings: listOf(value['findings'], MAX_FOLLOWED).map((each) => {
      const blockers = objectOf(each)['for'];
      return {
        ...findingOf(each),
        since: dayOf(objectOf(each)['since']),
        ...(blockers !== undefined && { for: textsOf(blockers) }),
      };
    }),
    fixed: listOf(value['fixed'], MAX_FIXED).map((each): FixedFinding => {
      const fields = objectOf(each);
      return { ...findingOf(each), since: dayOf(fields['since']), fixed: dayOf(fields['fixed']) };
    }),
    policies: Object.fromEntries(policiesOf(value['policies']).map(([name, each]) => [name, standingOf(each)])),
    gaps: listOf(value['gaps'], MAX_GAPS).map(textOf),
    days: listOf(value['days'], MAX_DAYS).map((each): HistoryDay => {
      const fields = objectOf(each);
      return {
        day: dayOf(fields['day']),
        conclusion: conclusionOf(fields['conclusion']),
        counts: countsOf(fields['counts']),
      };
    }),
  };
}

function findingOf(value: unknown): HistoryFinding {
  const { id, is, severity, policy, rule, subject, target, path, owners, roots, since } = objectOf(value);
  const named = policy === undefined ? undefined : objectOf(policy);
  return {
    id: idOf(id),
    is: oneOf<FindingState>(is, ['open', 'accepted', 'undecided', 'unjudged']),
    severity: oneOf(severity, ['error', 'warning', 'notice'] as const),
    ...(named && { policy: { kind: textOf(named['kind']), name: textOf(named['name']) } }),
    rule: textOf(rule),
    subject: textOf(subject),
    ...(target !== undefined && { target: textOf(target) }),
    ...(path !== undefined && { path: textOf(path) }),
    ...(owners !== undefined && { owners: textsOf(owners) }),
    ...(roots !== undefined && { roots: textsOf(roots) }),
    ...(since !== undefined && { since: dayOf(since) }),
  };
}

function standingOf(value: unknown): PolicyStanding {
  const { is, since, completeSince, audits } = objectOf(value);
  return {
    is: stateOf(is),
    ...(since !== undefined && { since: dayOf(since) }),
    ...(completeSince !== undefined && { completeSince: dayOf(completeSince) }),
    audits: numberOf(audits),
  };
}

function policiesOf(value: unknown): readonly (readonly [string, unknown])[] {
  const entries = Object.entries(objectOf(value));
  if (entries.length > MAX_POLICIES) throw new InvalidLine();
  return entries.map(([name, each]) => [textOf(name), each]);
}

function countsOf(value: unknown): HistoryCounts {
  const fields = objectOf(value);
  return Object.fromEntries(COUNT_NAMES.map((name) => [name, numberOf(fields[name])])) as unknown as HistoryCounts;
}

function conclusionOf(value: unknown): AuditLine['conclusion'] {
  return oneOf(value, ['allowed', 'denied', 'undecided', 'nothing-checked'] as const);
}

function stateOf(value: unknown): PolicyCondition {
  return oneOf<PolicyCondition>(value, POLICY_STATES);
}

function oneOf<T extends string>(value: unknown, values: readonly T[]): T {
  const found = values.find((each) => each === value);
  if (found === undefined) throw new InvalidLine();
  return found;
}

function objectOf(value: unknown): Fields {
  if (!isObject(value)) throw new InvalidLine();
  return value;
}

function listOf(value: unknown, most: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length > most) throw new InvalidLine();
  return value;
}

/** One line without control characters, so that every format may show it. */
function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new InvalidLine();
  return sanitizeLine(cutText(value));
}

function textsOf(value: unknown): readonly string[] {
  return cutList(listOf(value, MAX_FOLLOWED).map(textOf));
}

function idOf(value: unknown): string {
  if (typeof value !== 'string' || !/^[0-9a-f]{16}$/.test(value)) throw new InvalidLine();
  return value;
}

function numberOf(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new InvalidLine();
  return value as number;
}

function dayOf(value: unknown): string {
  if (typeof value !== 'string' || !isDay(value)) throw new InvalidLine();
  return value;
}

function isMoment(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(text) && !Number.isNaN(Date.parse(text));
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
