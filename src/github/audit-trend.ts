// The trend of the audit: numbers of recent runs, stored in the issue, and their presentation.
import { openFindings } from '../report/baseline/excuse.ts';
import { bars, signed } from '../report/history/audit-words.ts';
import type { Report } from '../report/report.ts';
import { isGating } from '../report/tally/verdict.ts';

export interface TrendPoint {
  /** E.g. `2026-11-21`. */
  readonly day: string;
  readonly denied: number;
  readonly warned: number;
  readonly audited: number;
  readonly errors: number;
  /** Rules, objects, render targets and documents without a judgement; absent in points of older versions. */
  readonly undecided?: number;
  readonly evaluated: number;
}

const MAX_POINTS = 30;
const NUMBERS = ['denied', 'warned', 'audited', 'errors', 'evaluated'] as const;

export function pointOf({ verdict, coverage }: Report, day: string): TrendPoint {
  const { denied, warned, audited, errors, open, notRendered, incomplete, unread } = verdict;
  const undecided = verdict.undecided + open + notRendered + incomplete + unread;
  return { day, denied, warned, audited, errors, undecided, evaluated: coverage.evaluated };
}

/** Ignores invalid points, because anyone who may edit the issue may have changed the text. */
export function readPoints(text: string): readonly TrendPoint[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  return Array.isArray(value) ? value.filter(isPoint).slice(-MAX_POINTS) : [];
}

function isPoint(value: unknown): value is TrendPoint {
  if (typeof value !== 'object' || value === null) return false;
  const point = value as Readonly<Record<string, unknown>>;
  const counts = [...NUMBERS.map((name) => point[name]), point['undecided'] ?? 0];
  const day = point['day'];
  return (
    typeof day === 'string' &&
    /^\d{4}-\d{2}-\d{2}$/.test(day) &&
    counts.every((count) => Number.isSafeInteger(count) && (count as number) >= 0)
  );
}

/** JSON with numbers and dates only, which is safe in an HTML comment. */
export function writePoints(points: readonly TrendPoint[]): string {
  return JSON.stringify(
    points.map(({ day, denied, warned, audited, errors, undecided = 0, evaluated }) => ({
      day,
      denied,
      warned,
      audited,
      errors,
      undecided,
      evaluated,
    })),
  );
}

/** Of two runs on one day, the later replaces the earlier. */
export function withPoint(points: readonly TrendPoint[], point: TrendPoint): readonly TrendPoint[] {
  return [...points.filter(({ day }) => day !== point.day), point].slice(-MAX_POINTS);
}

/** Markdown; empty without an earlier run. */
export function trendText(earlier: readonly TrendPoint[], now: TrendPoint): string {
  const last = earlier.filter(({ day }) => day !== now.day).at(-1);
  if (last === undefined) return '';
  const points = withPoint(earlier, now);
  const rows = (['denied', 'warned', 'audited', 'errors', 'undecided'] as const)
    .filter((name) => points.some((point) => (point[name] ?? 0) > 0))
    .map((name) => {
      const change = (now[name] ?? 0) - (last[name] ?? 0);
      return `| ${name} | ${now[name] ?? 0} | ${signed(change)} | ${bars(points.map((point) => point[name] ?? 0))} |\n`;
    });
  if (rows.length === 0) return '';
  return `| | now | since ${last.day} | last ${points.length} runs |\n|---|--:|--:|---|\n${rows.join('')}\n`;
}

/** True if no finding fails the gate. With `fail-on: never`, findings that would be denied count as failing. */
export function isClean({ verdict, findings, audit }: Report): boolean {
  const open = openFindings(findings).some((finding) => isGating(finding, verdict.failOn));
  const isJudged = verdict.conclusion === 'allowed' || verdict.failOn === 'never';
  // Accepted gaps allow a run, but what an earlier audit found behind them may still be there.
  if ((audit?.history?.unjudged ?? 0) > 0) return false;
  return !open && verdict.errors === 0 && isJudged && verdict.conclusion !== 'nothing-checked';
}
