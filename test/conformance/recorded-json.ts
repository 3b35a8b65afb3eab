// Writes JSON in the format of the recordings: doubles always have a fraction or an exponent, integers never.
import { isJsonArray, isJsonObject, type JsonValue } from '../../src/source/json/json.ts';

export function recordedJson(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(recordedJson).join(',')}]`;
  if (isJsonObject(value)) {
    const entries = [...value].map(([key, item]) => `${JSON.stringify(key)}:${recordedJson(item)}`);
    return `{${entries.join(',')}}`;
  }
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') {
    const text = Object.is(value, -0) ? '-0' : JSON.stringify(value);
    return /[.e]/.test(text) ? text : `${text}.0`;
  }
  return JSON.stringify(value);
}

/** A plain object whose values may be Preadmit's JSON. */
export function recordedLine(fields: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${recordedJson(toJson(value))}`).join(',')}}`;
}

function toJson(value: unknown): JsonValue {
  if (value instanceof Map) return value as JsonValue & ReadonlyMap<string, JsonValue>;
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === 'object' && value !== null) {
    return new Map(Object.entries(value).map(([key, item]): [string, JsonValue] => [key, toJson(item)]));
  }
  return value as JsonValue;
}
