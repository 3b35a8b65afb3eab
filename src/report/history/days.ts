// Days of a history: the dates of audits whose clocks may be wrong, and the words for an age.
import { count } from '../wording/wording.ts';

/** Format `2026-11-21`, and a day of the calendar. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Negative if `to` is before `from`. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}

export function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);
}

export interface TrustedDays {
  /** One day for each moment, never going backwards and never after today. */
  readonly days: readonly string[];
  /** Indices of the moments whose own date was not used. */
  readonly distrusted: readonly number[];
}

/**
 * The order of the lines is known, their dates come from clocks. The longest sequence of dates that does not go backwards is
 * trusted; every other audit gets the date of the audit before it. So one wrong clock changes no other date. Differences below a day are
 * accepted, because two audits at the same time may be written in either order.
 */
export function trustedDays(moments: readonly string[], today: string): TrustedDays {
  const own = moments.map((moment) => moment.slice(0, 10));
  const kept = longestRise(
    own.map((day, index) => (day > today ? undefined : (moments[index] as string).slice(0, 10))),
  );
  const days: string[] = [];
  const distrusted: number[] = [];
  const first = own.find((_, index) => kept.has(index)) ?? today;
  for (const [index, day] of own.entries()) {
    const before = days.at(-1) ?? first;
    if (kept.has(index)) days.push(day);
    else {
      days.push(before);
      const after = own.find((_, other) => other > index && kept.has(other)) ?? today;
      if (daysBetween(day, before) > 1 || daysBetween(after, day) > 1) distrusted.push(index);
    }
  }
  return { days, distrusted };
}

/** Indices of a longest non-decreasing subsequence; leaves out undefined values. */
function longestRise(values: readonly (string | undefined)[]): ReadonlySet<number> {
  /** For each length, the index of the lowest value that ends a subsequence of that length. */
  const ends: number[] = [];
  const before: number[] = [];
  for (const [index, value] of values.entries()) {
    if (value === undefined) continue;
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] as number] as string) <= value) low = middle + 1;
      else high = middle;
    }
    before[index] = low === 0 ? -1 : (ends[low - 1] as number);
    ends[low] = index;
  }
  const kept = new Set<number>();
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] as number) kept.add(index);
  return kept;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** `14 Oct`, or `14 Oct 2025` in another year than today's. */
export function dayWords(day: string, today: string): string {
  const [year, month, date] = day.split('-');
  const words = `${Number(date)} ${MONTHS[Number(month) - 1]}`;
  return year === today.slice(0, 4) ? words : `${words} ${year}`;
}

/** `today`, `3 days`, `3 weeks`, `5 months`, `2 years`: whole units, rounded down. */
function ageWords(since: string, today: string): string {
  const days = daysBetween(since, today);
  if (days <= 0) return 'today';
  if (days < 14) return count(days, 'day');
  if (days < 60) return count(Math.floor(days / 7), 'week');
  if (days < 730) return count(Math.floor(days / 30.44), 'month');
  return count(Math.floor(days / 365.25), 'year');
}

/** `since 14 Oct, 3 weeks`; `new today`. */
export function sinceWords(since: string, today: string): string {
  const age = ageWords(since, today);
  return age === 'today' ? 'new today' : `since ${dayWords(since, today)}, ${age}`;
}
