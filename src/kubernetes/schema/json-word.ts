// Names of JSON types and numbers in the messages of encoding/json.
import type { JsonValue } from '../../source/json/json.ts';

export function jsonKind(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object') return 'object';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

/** A number as kubectl writes it: JavaScript formats doubles like Go. */
export function numberText(value: bigint | number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
