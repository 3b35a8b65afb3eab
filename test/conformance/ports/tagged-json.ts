// Writes JSON as the Go programs do (`protocol.Tag`): integers are kept apart from doubles.
import type { JsonValue } from '../../../src/source/json/json.ts';
import { parseJson } from '../../../src/source/json/parse-json.ts';

export function tagged(value: JsonValue): unknown {
  // The original writes invalid UTF-8 as U+FFFD.
  if (typeof value === 'string') return value.replaceAll(/\p{Surrogate}/gu, '\ufffd');
  if (typeof value === 'bigint') return { int: String(value) };
  if (typeof value === 'number' && !Number.isFinite(value))
    return { float: String(value).replace(/^(-?)Infinity/, (_, sign: string) => `${sign || '+'}Inf`) };
  if (Array.isArray(value)) return value.map(tagged);
  if (value instanceof Map) return { map: [...value].map(([key, member]) => [key, tagged(member)]) };
  return value;
}

/** An argument of a call, with integers as bigint. Its JSON is that of the Go program. */
export function jsonArgument(argument: unknown): JsonValue {
  const read = parseJson(JSON.stringify(argument));
  if ('problem' in read) throw new Error(`an argument: ${JSON.stringify(argument)}`);
  return read.value;
}
