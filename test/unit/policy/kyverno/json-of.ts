// Parses JSON documents in tests.
import type { JsonValue } from '../../../../src/source/json/json.ts';
import { parseJson } from '../../../../src/source/json/parse-json.ts';

/** Integers stay integers. */
export function jsonOf(text: string): JsonValue {
  const parsed = parseJson(text);
  if ('problem' in parsed) throw new Error(parsed.problem.message);
  return parsed.value;
}
