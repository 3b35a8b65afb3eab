// What an expression gave as the JSON that a person would write for it, without the types.
import type { JsonValue } from '../../source/json/json.ts';

/**
 * `tagged` is of `tagValue`. What JSON has no word for becomes text: times, durations, quantities, infinite numbers, keys that are no text; bytes are
 * in base64. An absent optional is null.
 */
export function plainValue(tagged: unknown): JsonValue {
  const [tag, content] = Object.entries(tagged as Record<string, unknown>)[0] ?? ['null', null];
  switch (tag) {
    case 'int':
    case 'uint':
      return BigInt(String(content));
    case 'double':
      return Number.isFinite(Number(content)) ? Number(content) : String(content);
    case 'bool':
      return content === true;
    case 'list':
      return (content as readonly unknown[]).map(plainValue);
    case 'optional':
      return content === null ? null : plainValue((content as readonly unknown[])[0]);
    case 'jsonpatch':
      return plainPatch(content as Record<string, unknown>);
  }
  if (Array.isArray(content)) return plainEntries(content as readonly (readonly [unknown, unknown])[]);
  return typeof content === 'string' ? content : null;
}

function plainEntries(entries: readonly (readonly [unknown, unknown])[]): JsonValue {
  return new Map(entries.map(([key, value]) => [keyText(plainValue(key)), plainValue(value)]));
}

function keyText(key: JsonValue): string {
  return typeof key === 'string' ? key : String(key);
}

function plainPatch(patch: Record<string, unknown>): JsonValue {
  return new Map(
    Object.entries(patch).map(([name, value]) => [name, name === 'value' ? plainValue(value) : String(value)]),
  );
}
