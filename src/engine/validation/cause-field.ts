// Narrows the field of a cause: the server names a whole map or struct where one key or one changed field is meant.
import type { Resource } from '../../kubernetes/api/resource.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import { valueAt, valueUnder } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';

export interface CauseField {
  readonly path: FieldPath;
  readonly part: 'key' | 'value';
}

/** `field`: as the server names it. `old`: the object that an update replaces. */
export function causeField(
  resource: Resource,
  field: FieldPath,
  message: string,
  old: Resource | undefined,
): CauseField {
  if (field.length === 2 && field[0] === 'metadata' && field[1] === 'name' && resource.name === '') {
    return { path: ['metadata', 'generateName'], part: 'value' };
  }
  const { path, written } = namedPath(resource.value, field);
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

/** Steps that the server names by its internal types or by a mistake of its own, and the steps that an object has there. */
const NAMED_OTHERWISE: readonly (readonly [server: FieldPath, written: FieldPath])[] = [
  [
    ['template', 'labels'],
    ['template', 'metadata', 'labels'],
  ],
  [
    ['template', 'annotations'],
    ['template', 'metadata', 'annotations'],
  ],
  [['data'], ['stringData']],
  [['clusterIPs', 0], ['clusterIP']],
  [['podCIDRs'], ['podCIDR']],
  [
    ['metadata', 'taints'],
    ['spec', 'taints'],
  ],
  [['nodeAffinity'], ['spec', 'nodeAffinity']],
  [
    ['overhead', 'limits'],
    ['overhead', 'podFixed'],
  ],
  [
    ['resources', 'storage'],
    ['resources', 'requests', 'storage'],
  ],
  [
    ['downwardAPI', 'fieldRef'],
    ['downwardAPI', 'items'],
  ],
  [
    ['downwardAPI', 'resourceFieldRef'],
    ['downwardAPI', 'items'],
  ],
  [['metrics', 0, 'resource', 'target', 'averageUtilization'], ['targetCPUUtilizationPercentage']],
  [['involvedObject'], ['regarding']],
];

interface NamedPath {
  readonly path: FieldPath;
  /** The longest start of `path` that is written. */
  readonly written: FieldPath;
}

/** The path, by the name of which the object has most steps. */
function namedPath(value: JsonObject, path: FieldPath): NamedPath {
  let best: NamedPath = { path, written: writtenStart(value, path) };
  for (const [server, own] of NAMED_OTHERWISE) {
    const at = path.findIndex((_, index) => server.every((step, offset) => path[index + offset] === step));
    if (at === -1) continue;
    const named = [...path.slice(0, at), ...own, ...path.slice(at + server.length)];
    const written = writtenStart(value, named);
    if (written.length > best.written.length) best = { path: named, written };
  }
  return best;
}

function writtenStart(value: JsonObject, path: FieldPath): FieldPath {
  let length = path.length;
  while (length > 0 && valueAt(value, path.slice(0, length)) === undefined) length--;
  return path.slice(0, length);
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
