// Values as Go's `%v` prints them inside error messages.
import { formatDouble } from './double-text.ts';
import { formatDuration } from './duration.ts';
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
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDuration(value);
  if (Array.isArray(value)) return `[${value.map(goText).join(', ')}]`;
  if (isMap(value)) return `{${entryTexts(value).join(', ')}}`;
  return value instanceof StructValue ? value.type.name : String(value);
}

function entryTexts(map: MapValue): string[] {
  const texts: string[] = [];
  for (const [key, value] of map.entries()) texts.push(`${goText(key)}: ${goText(value)}`);
  return texts;
}
