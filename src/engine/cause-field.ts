// Narrows the field of a cause: the server names a whole map or struct where one key or one changed field is meant.
import type { Resource } from '../kubernetes/api/resource.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../source/json/json.ts';
import { valueAt, valueUnder } from '../source/json/json-field.ts';
import type { FieldPath } from '../source/node/field-path.ts';

export interface CauseField {
  readonly path: FieldPath;
  readonly part: 'key' | 'value';
}

/** `path`: as the server names the field. `old`: the object that an update replaces. */
export function causeField(
  resource: Resource,
  path: FieldPath,
  message: string,
  old: Resource | undefined,
): CauseField {
  if (path.length === 2 && path[0] === 'metadata' && path[1] === 'name' && resource.name === '') {
    return { path: ['metadata', 'generateName'], part: 'value' };
  }
  const written = writtenPath(resource.value, path);
  const value = valueAt(resource.value, written);
  if (!isJsonObject(value) && !isJsonArray(value)) return { path: written, part: 'value' };
  const named = isJsonObject(value) ? entryNamed(value, written, message) : undefined;
  if (named !== undefined) return named;
  const below = old && changedField(value, valueAt(old.value, written), [], allowedFields(message));
  const changed = [...written, ...(below ?? [])];
  // A missing field is at its nearest parent, which is not marked as a whole.
  if (below === undefined && written.length < path.length) return { path, part: 'value' };
  return { path: changed, part: below === undefined || isContainer(resource, changed) ? 'key' : 'value' };
}

/**
 * The longest start of the path that is written. The server names some fields as its internal types do: `spec.template.labels`,
 * `spec.persistentvolumesource`, `data` for `stringData`.
 */
function writtenPath(value: JsonObject, path: FieldPath): FieldPath {
  const [first, ...rest] = path;
  if (first === 'data' && !value.has('data') && value.has('stringData'))
    return writtenPath(value, ['stringData', ...rest]);
  for (let length = path.length; length > 0; length--) {
    const start = path.slice(0, length);
    if (valueAt(value, start) !== undefined) return start;
    const step = path[length - 1];
    const inMetadata = [...path.slice(0, length - 1), 'metadata', ...path.slice(length - 1)];
    const isOfMetadata = step === 'labels' || step === 'annotations';
    if (isOfMetadata && valueAt(value, inMetadata.slice(0, length + 1)) !== undefined)
      return inMetadata.slice(0, length + 1);
  }
  return [];
}

function isContainer({ value }: Resource, path: FieldPath): boolean {
  const found = valueAt(value, path);
  return isJsonObject(found) || isJsonArray(found);
}

/** The entry of a map whose key or value the message quotes: `metadata.labels: Invalid value: "a team": …`. */
function entryNamed(map: JsonObject, path: FieldPath, message: string): CauseField | undefined {
  const quoted = /^(?:Invalid value|Unsupported value|Required value|Forbidden): ("(?:[^"\\]|\\.)*")/.exec(
    message,
  )?.[1];
  const text = quoted === undefined ? undefined : unquoted(quoted);
  if (text === undefined) return undefined;
  // Keys of annotations are compared in lower case.
  for (const key of map.keys())
    if (key === text || key.toLowerCase() === text) return { path: [...path, key], part: 'key' };
  for (const [key, value] of map) if (value === text) return { path: [...path, key], part: 'value' };
  return undefined;
}

/** Go's quoting is JSON's, but for `\x`, `\a` and `\v`. */
function unquoted(quoted: string): string | undefined {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return undefined;
  }
}

/** Fields that the server lets change: `updates to statefulset spec for fields other than 'replicas', 'ordinals', … are forbidden`. */
function allowedFields(message: string): ReadonlySet<string> {
  const list = /(?:other than|except) (.*)/.exec(message)?.[1] ?? '';
  return new Set(Array.from(list.matchAll(/'([A-Za-z]+)'/g), ([, name]) => String(name)));
}

/** The first changed field. A removed field is at the nearest field above it. */
function changedField(
  now: JsonValue | undefined,
  before: JsonValue | undefined,
  path: FieldPath,
  allowed: ReadonlySet<string>,
): FieldPath | undefined {
  const isAllowed = (step: string | number): boolean => path.length === 0 && allowed.has(String(step));
  if (isJsonObject(now) && isJsonObject(before)) {
    for (const [key, value] of now) {
      if (isAllowed(key)) continue;
      const found = before.has(key) ? changedField(value, before.get(key), [...path, key], allowed) : [...path, key];
      if (found !== undefined) return found;
    }
    return [...before.keys()].some((key) => !now.has(key) && !isAllowed(key)) ? path : undefined;
  }
  if (isJsonArray(now) && isJsonArray(before)) {
    for (const [index, value] of now.entries()) {
      const old = valueUnder(before, index);
      const found = old === undefined ? [...path, index] : changedField(value, old, [...path, index], allowed);
      if (found !== undefined) return found;
    }
    return before.length > now.length ? path : undefined;
  }
  return now === before ? undefined : path;
}
