// Parses a list of strings from JSON text.
import { isJsonArray } from '../../../source/json/json.ts';
import { parseJson } from '../../../source/json/parse-json.ts';

/** Undefined if Go's decoder finds no list of strings. Null is an empty list; inside a list, it is an empty string. */
export function readTextList(text: string): readonly string[] | undefined {
  const parsed = parseJson(text);
  if ('problem' in parsed) return undefined;
  if (parsed.value === null) return [];
  if (!isJsonArray(parsed.value)) return undefined;
  const list = parsed.value.map((item) => item ?? '');
  return list.every((item) => typeof item === 'string') ? (list as readonly string[]) : undefined;
}

export function isJsonText(text: string): boolean {
  return !('problem' in parseJson(text));
}
