// A list of texts that is written as JSON in a text.
import { isJsonArray } from '../../../source/json/json.ts';
import { parseJson } from '../../../source/json/parse-json.ts';

/** Undefined where Go's decoder finds no list of texts; null stands for an empty list, and inside of one for an empty text. */
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
