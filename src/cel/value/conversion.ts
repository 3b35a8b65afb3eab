// Conversions between types (cel-go `ref.Val.ConvertToType`).
import { parseBool } from '../../go/strconv/bool.ts';
import { formatDouble } from '../../go/strconv/float-text.ts';
import { parseGoFloat } from '../../go/strconv/parse-float.ts';
import { goQuote } from '../../go/strconv/quote.ts';
import { formatDuration, parseDuration } from './duration.ts';
import { intFromDouble, intOverflow, MAX_INT, MAX_UINT, MIN_INT, uintFromDouble, uintOverflow } from './integer.ts';
import type { CelGo } from './release.ts';
import { Bytes, Duration, Timestamp, Uint } from './scalar.ts';
import { formatTimestamp, inRange, parseTimestamp } from './timestamp.ts';
import { typeOf } from './type-of.ts';
import { ErrorValue, type Value } from './value.ts';

function conversionError(value: Value, target: string): ErrorValue {
  return new ErrorValue(`type conversion error from '${typeOf(value)}' to '${target}'`);
}

export function toBool(value: Value): boolean | ErrorValue {
  if (typeof value === 'boolean') return value;
  const parsed = typeof value === 'string' ? parseBool(value) : undefined;
  return parsed ?? conversionError(value, 'bool');
}

export function toInt(value: Value): bigint | ErrorValue {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return intFromDouble(value);
  if (value instanceof Uint) return value.value <= MAX_INT ? value.value : intOverflow();
  if (value instanceof Timestamp) return value.seconds;
  if (value instanceof Duration) return value.nanoseconds;
  const parsed = typeof value === 'string' ? parseInteger(value, /^[+-]?[0-9]+$/) : undefined;
  return parsed !== undefined && parsed >= MIN_INT && parsed <= MAX_INT ? parsed : conversionError(value, 'int');
}

export function toUint(value: Value): Uint | ErrorValue {
  if (value instanceof Uint) return value;
  if (typeof value === 'bigint') return value >= 0n ? new Uint(value) : uintOverflow();
  if (typeof value === 'number') return uintFromDouble(value);
  const parsed = typeof value === 'string' ? parseInteger(value, /^[0-9]+$/) : undefined;
  return parsed !== undefined && parsed <= MAX_UINT ? new Uint(parsed) : conversionError(value, 'uint');
}

/** Undefined if the text is not an integer. A text too long for 64 bits gives a number outside all limits. */
function parseInteger(text: string, form: RegExp): bigint | undefined {
  if (!form.test(text)) return undefined;
  const digits = text.replace(/^[+-]?0*/, '');
  const magnitude = digits.length > 20 ? 1n << 65n : BigInt(digits || '0');
  return text.startsWith('-') ? -magnitude : magnitude;
}

export function toDouble(value: Value): number | ErrorValue {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Uint) return Number(value.value);
  const parsed = typeof value === 'string' ? parseGoFloat(value) : undefined;
  return parsed ?? conversionError(value, 'double');
}

export function toText(value: Value): string | ErrorValue {
  switch (typeof value) {
    case 'string':
      return value;
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'number':
      return formatDouble(value);
  }
  if (value === null) return 'null';
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDuration(value);
  if (value instanceof Bytes) return decodeUtf8(value.data);
  return conversionError(value, 'string');
}

function decodeUtf8(data: Uint8Array): string | ErrorValue {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
  } catch {
    return new ErrorValue('invalid UTF-8 in bytes, cannot convert to string');
  }
}

export function toBytes(value: Value): Bytes | ErrorValue {
  if (value instanceof Bytes) return value;
  return typeof value === 'string' ? new Bytes(new TextEncoder().encode(value)) : conversionError(value, 'bytes');
}

export function toDuration(value: Value): Duration | ErrorValue {
  if (value instanceof Duration) return value;
  const parsed = typeof value === 'string' ? parseDuration(value) : undefined;
  return parsed ?? conversionError(value, 'google.protobuf.Duration');
}

/** From cel-go 0.30, only texts of RFC 3339. Go's parser also reads a comma, single digits of hours, and larger offsets. */
export function timestampConversion(celGo: CelGo): (value: Value) => Timestamp | ErrorValue {
  if (celGo < 30) return toTimestamp;
  return (value) => {
    if (typeof value !== 'string' || RFC_3339.test(value)) return toTimestamp(value);
    return new ErrorValue(`invalid RFC 3339 timestamp ${goQuote(value)}`);
  };
}

const RFC_3339 =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

function toTimestamp(value: Value): Timestamp | ErrorValue {
  if (value instanceof Timestamp) return value;
  if (typeof value === 'bigint') return inRange(new Timestamp(value, 0));
  const parsed = typeof value === 'string' ? parseTimestamp(value) : undefined;
  return parsed === undefined ? conversionError(value, 'google.protobuf.Timestamp') : inRange(parsed);
}
