// Instants and their texts in the layouts of the API.
import { civilFromDays, SECONDS_PER_DAY } from './calendar.ts';

/** Seconds since 1970, and additional nanoseconds. */
export interface Instant {
  readonly seconds: number;
  readonly nanos: number;
}

/** An instant with the written offset in seconds east of UTC. */
export interface ZonedTime extends Instant {
  readonly offset: number;
}

export const RFC3339 = '2006-01-02T15:04:05Z07:00';
/** Requires exactly six fractional digits. */
export const RFC3339_MICRO = '2006-01-02T15:04:05.000000Z07:00';

/** Without a zone; UTC. */
export const LOCAL_TIME = '2006-01-02T15:04:05';

/** Midnight, UTC. */
export const FULL_DATE = '2006-01-02';

/** Go's zero `time.Time`; the API omits it or writes null. */
const ZERO_SECONDS = -62_135_596_800;

export function isZeroTime({ seconds, nanos }: Instant): boolean {
  return seconds === ZERO_SECONDS && nanos === 0;
}

/** In UTC; fractions are truncated. */
export function formatTime({ seconds, nanos }: Instant, layout: typeof RFC3339 | typeof RFC3339_MICRO): string {
  const fraction = layout === RFC3339 ? '' : `.${pad(Math.floor(nanos / 1000), 6)}`;
  return `${localText(seconds)}${fraction}Z`;
}

/** `Time.Format(time.RFC3339)`. */
export function formatRfc3339({ seconds, offset }: ZonedTime): string {
  const local = localText(seconds + offset);
  if (offset === 0) return `${local}Z`;
  const minutes = Math.trunc(Math.abs(offset) / 60);
  // An offset of some seconds west has the sign of zero.
  const zone = `${offset <= -60 ? '-' : '+'}${pad(Math.floor(minutes / 60), 2)}:${pad(minutes % 60, 2)}`;
  return local + zone;
}

function localText(seconds: number): string {
  const days = Math.floor(seconds / SECONDS_PER_DAY);
  const second = seconds - days * SECONDS_PER_DAY;
  const { year, month, day } = civilFromDays(days);
  const date = `${year < 0 ? '-' : ''}${pad(Math.abs(year), 4)}-${pad(month, 2)}-${pad(day, 2)}`;
  const time = [Math.floor(second / 3600), Math.floor(second / 60) % 60, second % 60].map((part) => pad(part, 2));
  return `${date}T${time.join(':')}`;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}
