// Formats values like Go's `%v`, for error messages.
import { formatDouble } from '../../go/strconv/float-text.ts';
import { isMap } from './equality.ts';
import { Bytes, Duration, Timestamp, Uint } from './scalar.ts';
import { formatTimestamp } from './timestamp.ts';
import { ErrorValue, type MapValue, Optional, StructValue, TypeValue, type Value } from './value.ts';

export function goText(value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return formatDouble(value);
  if (value === null) return '0';
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Bytes) return `[${value.data.join(' ')}]`;
  if (value instanceof ErrorValue) return value.message;
  if (value instanceof TypeValue) return String(value.type);
  if (value instanceof Optional)
    return value.value === undefined ? 'optional.none()' : `optional(${goText(value.value)})`;
  if (value instanceof Timestamp) return timeText(value);
  if (value instanceof Duration) return durationText(value.nanoseconds);
  if (Array.isArray(value)) return `[${value.map(goText).join(', ')}]`;
  if (isMap(value)) return `{${entryTexts(value).join(', ')}}`;
  return value instanceof StructValue ? value.type.name : String(value);
}

function entryTexts(map: MapValue): string[] {
  const texts: string[] = [];
  for (const [key, value] of map.entries()) texts.push(`${goText(key)}: ${goText(value)}`);
  return texts;
}

/** Go `time.Time.String`. A fixed offset has no zone name, so the offset is printed instead. */
function timeText(timestamp: Timestamp): string {
  const [, date, time, zone] = /^(.*)T([0-9:.]*)(.*)$/.exec(formatTimestamp(timestamp)) ?? [];
  const offset = zone === 'Z' ? '+0000' : String(zone).replace(':', '');
  return `${date} ${time} ${offset} ${zone === 'Z' ? 'UTC' : offset}`;
}

/** Go `time.Duration.String`: `1h0m0.5s`, or a single small unit below one second. */
function durationText(nanoseconds: bigint): string {
  if (nanoseconds < 0n) return `-${durationText(-nanoseconds)}`;
  if (nanoseconds === 0n) return '0s';
  if (nanoseconds < 1_000n) return `${nanoseconds}ns`;
  if (nanoseconds < 1_000_000n) return `${decimal(nanoseconds, 3)}µs`;
  if (nanoseconds < 1_000_000_000n) return `${decimal(nanoseconds, 6)}ms`;
  const seconds = `${decimal(nanoseconds % 60_000_000_000n, 9)}s`;
  const minutes = nanoseconds / 60_000_000_000n;
  if (minutes === 0n) return seconds;
  return minutes < 60n ? `${minutes}m${seconds}` : `${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** Inserts the decimal point before the last `places` digits and removes trailing zeros. */
function decimal(digits: bigint, places: number): string {
  const text = String(digits).padStart(places + 1, '0');
  return `${text.slice(0, -places)}.${text.slice(-places)}`.replace(/\.?0+$/, '');
}
