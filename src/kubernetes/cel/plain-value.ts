// Converts a CEL value to plain JSON without types, as a person would write it.
import type { JsonValue } from '../../source/json/json.ts';

/**
 * `tagged` comes from `tagValue`. Values without a JSON form become text: times, durations, quantities, infinite
 * numbers, keys that are not text. Bytes become base64, and an empty optional becomes null.
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
