// Finds the object's fields that decided a rule's response.
import type { Read } from '../../../cel/value/trace.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';

/** Splits `/spec/containers/0/image/` into steps. Keys may contain slashes, so the object decides. */
export function fieldPathOf(place: string, object: JsonObject): FieldPath {
  let rest = place.replace(/^\//, '').replace(/\/$/, '');
  const path: (string | number)[] = [];
  let value: JsonValue | undefined = object;
  while (rest !== '') {
    const step: string = nextStep(rest, value);
    path.push(isJsonArray(value) && /^\d+$/.test(step) ? Number(step) : step);
    if (isJsonObject(value)) value = value.get(step);
    else value = isJsonArray(value) ? value[Number(step)] : undefined;
    rest = rest.slice(step.length + 1);
  }
  return path;
}

function nextStep(rest: string, value: JsonValue | undefined): string {
  const [first = ''] = rest.split('/');
  if (!isJsonObject(value) || value.has(first)) return first;
  let longest = '';
  for (const key of value.keys()) {
    if (key.length > longest.length && (rest === key || rest.startsWith(`${key}/`))) longest = key;
  }
  // A missing key with slashes is the end of the path.
  return longest || (/^[^/]*\.[^/]*\/[^/]+$/.test(rest) ? rest : first);
}

export function readOf(path: FieldPath, object: JsonObject): Read {
  let value: JsonValue | undefined = object;
  for (const step of path) {
    if (isJsonObject(value)) value = value.get(String(step));
    else value = isJsonArray(value) ? value[Number(step)] : undefined;
  }
  return { root: 'object', path, found: value !== undefined };
}

/** Request fields that are also fields of the object. */
const REQUEST_FIELDS: readonly unknown[] = ['name', 'namespace', 'kind'];

/** Maps a field of the request document to a field of its objects. */
export function readOfDocument(path: FieldPath): Read | undefined {
  const [request, root, ...rest] = path;
  if (request === 'request' && REQUEST_FIELDS.includes(root))
    return { root: 'request', path: [root as string], found: true };
  if (request !== 'request' || (root !== 'object' && root !== 'oldObject') || rest.length === 0) return undefined;
  return { root, path: rest, found: true };
}
