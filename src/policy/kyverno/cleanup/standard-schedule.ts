// Validates a schedule in cron's standard format (`ParseStandard` of robfig/cron v3).
import { parseGoDuration } from '../../../go/time/duration.ts';

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

const MONTHS = ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
/** Minute, hour, day of month, month, day of week. */
const FIELDS: readonly Bounds[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
];
const DESCRIPTORS = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];

/** Accepts any time zone name without looking it up. */
export function isStandardSchedule(text: string): boolean {
  const spec = /^(?:CRON_)?TZ=\S* /.test(text) ? text.slice(text.indexOf(' ')).trim() : text;
  if (spec.startsWith('@every ')) return typeof parseGoDuration(spec.slice('@every '.length)) === 'bigint';
  if (spec.startsWith('@')) return DESCRIPTORS.includes(spec);
  const fields = spec.split(/\s+/).filter((field) => field !== '');
  if (fields.length !== FIELDS.length) return false;
  return FIELDS.every((bounds, index) =>
    (fields[index] as string)
      .split(',')
      .filter((range) => range !== '')
      .every((range) => isRange(range, bounds)),
  );
}

function isRange(range: string, { min, max, names }: Bounds): boolean {
  const [span = '', step, ...moreSteps] = range.split('/');
  const [low = '', high, ...moreEnds] = span.split('-');
  if (moreSteps.length > 0) return false;
  const isAny = low === '*' || low === '?';
  if (!isAny && moreEnds.length > 0) return false;
  const start = isAny ? min : numberOf(low, names);
  const plainEnd = isAny ? max : high === undefined ? start : numberOf(high, names);
  const end = step !== undefined && high === undefined ? max : plainEnd;
  const pace = step === undefined ? 1 : numberOf(step, []);
  if (start === undefined || end === undefined || pace === undefined) return false;
  return start >= min && end <= max && start <= end && pace > 0;
}

function numberOf(text: string, names: readonly string[]): number | undefined {
  const named = text === '' ? -1 : names.indexOf(text.toLowerCase());
  if (named >= 0) return named;
  return /^\+?\d+$/.test(text) ? Number(text) : undefined;
}
