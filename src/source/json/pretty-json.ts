// Formats JSON for people: one entry per line.
import { isJsonArray, isJsonObject, type JsonValue, stringifyJson } from './json.ts';

/** Integers keep all digits. No final line break. `indent` precedes every line except the first. */
export function prettyJson(value: JsonValue, indent = ''): string {
  const inner = `${indent}  `;
  if (isJsonArray(value) && value.length > 0) {
    return `[\n${value.map((item) => `${inner}${prettyJson(item, inner)}`).join(',\n')}\n${indent}]`;
  }
  if (isJsonObject(value) && value.size > 0) {
    const fields = [...value].map(([key, item]) => `${inner}${JSON.stringify(key)}: ${prettyJson(item, inner)}`);
    return `{\n${fields.join(',\n')}\n${indent}}`;
  }
  return stringifyJson(value, { sortKeys: false, escapeHtml: false });
}
