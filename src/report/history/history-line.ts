// The lines of an audit history: one JSON object per audit, and one that replaces the oldest audits after compaction.
import type { Severity, Verdict } from '../report.ts';

/** Increases when a line of an older version would be misread. */
export const HISTORY_VERSION = 1;

/** `unjudged`: the audit does not report the finding, and could not judge its place either. It is not fixed. */
export type FindingState = 'open' | 'accepted' | 'undecided' | 'unjudged';

/** A finding on one object in one cluster, or a problem of an object, a render target or a file. */
export interface HistoryFinding {
  /** The fingerprint of the finding, independent of the file that contains it. */
  readonly id: string;
  readonly is: FindingState;
  readonly severity: Severity;
  /** Absent for problems that no policy reports. */
  readonly policy?: { readonly kind: string; readonly name: string };
  /** Part of the policy, or the diagnostic code. */
  readonly rule: string;
  /** `Deployment shop/web`, or the file. */
  readonly subject: string;
  readonly target?: string;
  readonly path?: string;
  readonly owners?: readonly string[];
  readonly roots?: readonly string[];
  /** First day of the finding; absent in a line: the day of the line. */
  readonly since?: string;
}

/** A finding that a later audit no longer reports. */
export interface FixedFinding extends HistoryFinding {
  readonly since: string;
  readonly fixed: string;
}

export interface HistoryCounts {
  readonly denied: number;
  readonly warned: number;
  readonly audited: number;
  readonly errors: number;
  /** Rules, objects, render targets and documents without a judgement. */
  readonly undecided: number;
  readonly accepted: number;
  readonly evaluated: number;
}

export const COUNT_NAMES = [
  'denied',
  'warned',
  'audited',
  'errors',
  'undecided',
  'accepted',
  'evaluated',
] as const satisfies readonly (keyof HistoryCounts)[];

/**
 * State of a policy in an audit. `clean`: evaluated, no finding. `partial`: no finding, but something was not judged. `found`: findings,
 * also accepted ones. `idle`: no object matches. `undecided`: the policy was not evaluated everywhere.
 */
export type PolicyCondition = 'clean' | 'partial' | 'found' | 'idle' | 'undecided';
export const POLICY_STATES = [
  'clean',
  'partial',
  'found',
  'idle',
  'undecided',
] as const satisfies readonly PolicyCondition[];

interface AnyLine {
  readonly v: typeof HISTORY_VERSION;
  /** When the audit began, in UTC: `2026-11-24T05:17:00Z`. */
  readonly at: string;
}

/** One audit, as the difference to the audits before it. */
export interface AuditLine extends AnyLine {
  /** Unique for each audit, so that a line that was written twice counts once. */
  readonly audit: string;
  readonly commit?: string;
  readonly conclusion: Verdict['conclusion'];
  readonly counts: HistoryCounts;
  /** Findings that are new or that changed. */
  readonly found: readonly HistoryFinding[];
  /** Identities of the findings that are gone. */
  readonly gone: readonly string[];
  /** Findings that can no longer be judged, with the digests of the render targets that may contain them. */
  readonly unjudged: readonly { readonly id: string; readonly for: readonly string[] }[];
  /** Policies whose state changed, by `<kind>/<name>`; null: the policy is gone. */
  readonly policies: Readonly<Record<string, PolicyCondition | null>>;
  /** Digests of the render targets that were not rendered; absent: as before. */
  readonly gaps?: readonly string[];
}

/** State of a policy in the history. */
export interface PolicyStanding {
  readonly is: PolicyCondition;
  /** First day without findings, in an unbroken row of audits up to the newest; absent: it has findings, or was not evaluated. */
  readonly since?: string;
  /** First day on which everything was judged too. */
  readonly completeSince?: string;
  /** Audits of that row. */
  readonly audits: number;
}

/** Numbers of the last audit of a day. */
export interface HistoryDay {
  readonly day: string;
  readonly conclusion: Verdict['conclusion'];
  readonly counts: HistoryCounts;
}

/** Replaces all lines before it. */
export interface SummaryLine extends AnyLine {
  /** Number of audits that the line replaces. */
  readonly audits: number;
  /** Their names, newest last, so that a replaced line that is written again does not count. */
  readonly names: readonly string[];
  readonly from: string;
  readonly findings: readonly (HistoryFinding & { readonly since: string; readonly for?: readonly string[] })[];
  readonly fixed: readonly FixedFinding[];
  readonly policies: Readonly<Record<string, PolicyStanding>>;
  readonly gaps: readonly string[];
  readonly days: readonly HistoryDay[];
}

export type HistoryLine = AuditLine | SummaryLine;

export function isSummary(line: HistoryLine): line is SummaryLine {
  return !('audit' in line);
}

export function lineText(line: HistoryLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** Most findings that a history follows. Further ones count, but have no age. */
export const MAX_FOLLOWED = 20_000;
/** Fixed findings, days and names of audits that a summary keeps. */
export const MAX_FIXED = 500;
export const MAX_DAYS = 400;
export const MAX_NAMES = 100;
/** Longest text of a field. */
const MAX_TEXT = 300;
const MAX_LIST = 20;

/** Texts of a line are cut to MAX_TEXT, lists to 20 items. */
export function cutText(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

export function cutList(texts: readonly string[]): readonly string[] {
  return texts.slice(0, MAX_LIST).map(cutText);
}
