// Converts the inputs of the library's callers (texts, plain objects or files) to files, and JSON values back to plain objects.
import { isJsonArray, isJsonObject, type JsonValue } from '../../source/json/json.ts';
import { SourceFile } from '../../source/text/source-file.ts';
import { InputError } from './input-error.ts';

/**
 * A YAML or JSON text with any number of documents, a plain object, a SourceFile with the path to report, or a list of these. In plain
 * objects, `undefined` is omitted and whole numbers are integers. Use `bigint` for integers beyond 2^53.
 */
export type Source = string | SourceFile | object | readonly Source[];

/** Deeper than any manifest. Also stops at circular references. */
const MAX_DEPTH = 1000;

/** `name`: the base of file names for inputs without a path: `object.yaml`, `object-2.yaml`. Throws InputError. */
export function sourceFiles(name: string, source: Source | undefined): readonly SourceFile[] {
  const sources = source === undefined ? [] : Array.isArray(source) ? (source.flat(8) as readonly Source[]) : [source];
  return sources.map((each, index) => {
    if (each instanceof SourceFile) return each;
    const numbered = index === 0 ? name : `${name}-${index + 1}`;
    return new SourceFile(`${numbered}.yaml`, typeof each === 'string' ? each : writtenText(each, name));
  });
}

/** Throws InputError if the value cannot be represented in JSON. */
export function jsonValueOf(value: unknown, name: string): JsonValue {
  return converted(value, name, 0) ?? null;
}

/** Objects have no special prototype. Integers are numbers, beyond 2^53 bigints. */
export function plainValueOf(value: JsonValue): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value;
  if (isJsonArray(value)) return value.map(plainValueOf);
  if (!isJsonObject(value)) return value;
  const plain: Record<string, unknown> = {};
  for (const [key, inner] of value) {
    Object.defineProperty(plain, key, {
      value: plainValueOf(inner),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return plain;
}

function converted(given: unknown, name: string, depth: number): JsonValue | undefined {
  if (depth > MAX_DEPTH)
    throw new InputError('not-json', `\`${name}\` is nested too deeply or contains a circular reference`);
  const value = hasOwnJson(given) ? given.toJSON() : given;
  if (value === null || typeof value === 'boolean' || typeof value === 'string' || typeof value === 'bigint')
    return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value))
      throw new InputError('not-json', `\`${name}\` contains ${value}, which JSON cannot represent`);
    return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? BigInt(value) : value;
  }
  if (value === undefined) return undefined;
  if (typeof value !== 'object')
    throw new InputError('not-json', `\`${name}\` contains a ${typeof value}, which JSON cannot represent`);
  if (Array.isArray(value)) return value.map((item: unknown) => converted(item, name, depth + 1) ?? null);
  const entries: readonly (readonly [unknown, unknown])[] = value instanceof Map ? [...value] : Object.entries(value);
  return new Map(
    entries.flatMap(([key, inner]): readonly (readonly [string, JsonValue])[] => {
      const each = converted(inner, name, depth + 1);
      return each === undefined ? [] : [[String(key), each]];
    }),
  );
}

function hasOwnJson(value: unknown): value is { toJSON(): unknown } {
  return typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function';
}

/** On several lines, so that reported locations are useful. */
function writtenText(value: object, name: string): string {
  return `${lines(jsonValueOf(value, name), '')}\n`;
}

function lines(value: JsonValue, indent: string): string {
  const inner = `${indent}  `;
  if (isJsonArray(value) && value.length > 0) {
    return `[\n${value.map((item) => inner + lines(item, inner)).join(',\n')}\n${indent}]`;
  }
  if (isJsonObject(value) && value.size > 0) {
    const fields = [...value].map(([key, item]) => `${inner}${JSON.stringify(key)}: ${lines(item, inner)}`);
    return `{\n${fields.join(',\n')}\n${indent}}`;
  }
  if (isJsonArray(value)) return '[]';
  if (isJsonObject(value)) return '{}';
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}
