// JSON Patch as in Kyverno: creates missing parents, supports negative indices, ignores removal of missing values (evanphx/json-patch v5).
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '../../../source/json/json.ts';
import { parseJson } from '../../../source/json/parse-json.ts';
import { readYaml } from '../../../source/yaml/yaml-to-json.ts';
import {
  isMissing,
  isMutableList,
  isMutableMap,
  type Mutable,
  type MutableJsonList,
  type MutableMap,
  mutableCopy,
} from './mutable-json.ts';

export class JsonPatchFailure extends Error {}

const MISSING = 'missing value';
const INVALID_INDEX = 'invalid index referenced';

export interface PatchOperation {
  readonly op: string;
  readonly path: string;
  readonly from: string;
  readonly value: JsonValue | undefined;
}

/** Parses the operations of a patch from YAML, or from JSON if it starts with a bracket. */
export function readPatch(text: string): readonly PatchOperation[] | { readonly error: string } {
  const document = readDocument(text);
  if ('error' in document) return document;
  const { value } = document;
  if (value === null) return [];
  if (!isJsonArray(value) || !value.every(isJsonObject)) {
    const type = isJsonObject(value) ? 'object' : isJsonArray(value) ? 'array' : typeof value;
    return { error: `failed to decode patches: json: cannot unmarshal ${type} into Go value of type jsonpatch.Patch` };
  }
  const operations: PatchOperation[] = [];
  for (const fields of value as readonly JsonObject[]) {
    const problem = operationProblem(fields);
    if (problem !== undefined) {
      const shown = stringifyJson(fields, { sortKeys: true, escapeHtml: true });
      return { error: `failed to decode patches: invalid operation ${shown}: ${problem}` };
    }
    operations.push({
      op: fields.get('op') as string,
      path: fields.get('path') as string,
      from: String(fields.get('from') ?? ''),
      value: fields.get('value'),
    });
  }
  return operations;
}

function readDocument(text: string): { readonly value: JsonValue } | { readonly error: string } {
  if (text.startsWith('[')) {
    const parsed = parseJson(text);
    return 'value' in parsed ? { value: parsed.value } : { error: 'failed to decode patches: invalid state detected' };
  }
  const read = readYaml(text);
  if ('failure' in read) return { error: `failed to convert patchesJSON6902 to JSON: ${read.failure.message}` };
  return { value: read.value };
}

function operationProblem(fields: JsonObject): string | undefined {
  const op = fields.get('op');
  switch (op) {
    case 'add':
    case 'replace':
      if (!fields.has('value')) return `failed to decode 'value': operation, missing value field: ${MISSING}`;
      break;
    case 'move':
    case 'copy':
      if (typeof fields.get('from') !== 'string') {
        return `failed to decode 'from': operation, missing from field: ${MISSING}`;
      }
      break;
    case 'remove':
    case 'test':
      break;
    default:
      return 'unsupported operation';
  }
  if (typeof fields.get('path') === 'string') return undefined;
  return `failed to decode 'path': operation missing path field: ${MISSING}`;
}

/** Does not modify the object. */
export function applyPatch(object: JsonValue, operations: readonly PatchOperation[]): Mutable {
  const patched = { root: mutableCopy(object) };
  for (const operation of operations) applyOperation(patched, operation);
  return patched.root;
}

interface Document {
  root: Mutable;
}

type Container = MutableMap | MutableJsonList;

interface Target {
  readonly container: Container;
  readonly key: string;
}

function applyOperation(document: Document, { op, path, from, value }: PatchOperation): void {
  const added = value === undefined ? null : mutableCopy(value);
  switch (op) {
    case 'add':
      if (path === '') document.root = added;
      else add(document, path, added);
      return;
    case 'remove': {
      const target = find(document, path);
      if (target !== undefined) inContext('remove', path, () => removeFrom(target));
      return;
    }
    case 'replace': {
      if (path === '') {
        document.root = added;
        return;
      }
      const target = find(document, path);
      if (target === undefined) {
        throw new JsonPatchFailure(`replace operation does not apply: doc is missing path: ${path}: ${MISSING}`);
      }
      if ('error' in getFrom(target)) {
        throw new JsonPatchFailure(`replace operation does not apply: doc is missing key: ${path}: ${MISSING}`);
      }
      setIn(target, added);
      return;
    }
    case 'move': {
      if (from === '') {
        throw new JsonPatchFailure('unable to move entire document to another path: invalid state detected');
      }
      const source = find(document, from);
      if (source === undefined) {
        throw new JsonPatchFailure(`move operation does not apply: doc is missing from path: ${from}: ${MISSING}`);
      }
      const found = getFrom(source);
      if ('error' in found) throw new JsonPatchFailure(`error in move for path: '${source.key}': ${found.error}`);
      removeFrom(source);
      const target = find(document, path);
      if (target === undefined) {
        throw new JsonPatchFailure(
          `move operation does not apply: doc is missing destination path: ${path}: ${MISSING}`,
        );
      }
      inContext('move', path, () => addTo(target, found.value));
      return;
    }
    case 'copy': {
      const source = find(document, from);
      if (source === undefined) {
        throw new JsonPatchFailure(`copy operation does not apply: doc is missing from path: "${from}": ${MISSING}`);
      }
      const found = getFrom(source);
      if ('error' in found) throw new JsonPatchFailure(`error in copy for from: '${from}': ${found.error}`);
      const target = find(document, path);
      if (target === undefined) {
        throw new JsonPatchFailure(
          `copy operation does not apply: doc is missing destination path: ${path}: ${MISSING}`,
        );
      }
      addTo(target, mutableCopy(found.value as JsonValue));
      return;
    }
    default:
      test(document, path, added);
  }
}

function inContext(operation: string, path: string, run: () => void): void {
  try {
    run();
  } catch (failure) {
    if (!(failure instanceof JsonPatchFailure)) throw failure;
    throw new JsonPatchFailure(`error in ${operation} for path: '${path}': ${failure.message}`);
  }
}

function add(document: Document, path: string, value: Mutable): void {
  ensureParents(document, path);
  const target = find(document, path);
  if (target === undefined) {
    throw new JsonPatchFailure(`add operation does not apply: doc is missing path: "${path}": ${MISSING}`);
  }
  inContext('add', path, () => addTo(target, value));
}

function test(document: Document, path: string, value: Mutable): void {
  const failed = new JsonPatchFailure(`testing value ${path} failed: test failed`);
  if (path === '') {
    if (!isEqual(document.root, value)) throw failed;
    return;
  }
  const target = find(document, path);
  if (target === undefined) {
    throw new JsonPatchFailure(`test operation does not apply: is missing path: ${path}: ${MISSING}`);
  }
  const found = getFrom(target);
  if ('error' in found && !found.error.endsWith(MISSING)) {
    throw new JsonPatchFailure(`error in test for path: '${path}': ${found.error}`);
  }
  const actual = 'error' in found ? null : found.value;
  if (actual === null ? value !== null : value === null || !isEqual(actual, value)) throw failed;
}

function isEqual(left: Mutable, right: Mutable): boolean {
  const options = { sortKeys: true, escapeHtml: false };
  return stringifyJson(left as JsonValue, options) === stringifyJson(right as JsonValue, options);
}

function partsOf(path: string): readonly string[] {
  return path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The container of the path's last part. Undefined if it does not exist. */
function find(document: Document, path: string): Target | undefined {
  const parts = partsOf(path);
  let container = document.root;
  for (const part of parts.slice(0, -1)) {
    if (!isMutableMap(container) && !isMutableList(container)) return undefined;
    const next = getFrom({ container, key: part });
    if ('error' in next || isMissing(next.value)) return undefined;
    container = next.value;
  }
  if (parts.length === 0 || (!isMutableMap(container) && !isMutableList(container))) return undefined;
  return { container, key: parts.at(-1) as string };
}

function indexOf(key: string): number {
  if (/^[+-]?\d+$/.test(key)) return Number(key);
  throw new JsonPatchFailure(`strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`);
}

function badIndex(index: number): string {
  return `Unable to access invalid index: ${index}: ${INVALID_INDEX}`;
}

function getFrom({ container, key }: Target): { readonly value: Mutable } | { readonly error: string } {
  if (key === '') return { value: container };
  if (isMutableMap(container)) {
    const value = container.get(key);
    return value === undefined ? { error: `unable to get nonexistent key: ${key}: ${MISSING}` } : { value };
  }
  if (!/^[+-]?\d+$/.test(key)) return { error: `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax` };
  const written = Number(key);
  const index = written < 0 ? written + container.length : written;
  if (index < 0 || index >= container.length) return { error: badIndex(written) };
  return { value: container[index] as Mutable };
}

function setIn({ container, key }: Target, value: Mutable): void {
  if (isMutableMap(container)) {
    container.set(key, value);
    return;
  }
  const index = indexOf(key);
  container[index < 0 ? index + container.length : index] = value;
}

function addTo({ container, key }: Target, value: Mutable): void {
  if (isMutableMap(container)) {
    container.set(key, value);
    return;
  }
  if (key === '-') {
    container.push(value);
    return;
  }
  if (!/^[+-]?\d+$/.test(key)) {
    const problem = `strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`;
    throw new JsonPatchFailure(`value was not a proper array index: '${key}': ${problem}`);
  }
  const index = Number(key);
  const room = container.length + 1;
  if (index >= room || index < -room) throw new JsonPatchFailure(badIndex(index));
  container.splice(index < 0 ? index + room : index, 0, value);
}

function removeFrom({ container, key }: Target): void {
  if (isMutableMap(container)) {
    container.delete(key);
    return;
  }
  const written = indexOf(key);
  const index = written < 0 ? written + container.length : written;
  if (index >= 0 && index < container.length) container.splice(index, 1);
}

/** Lists are padded with nulls up to the index. This limit guards against absurd indices. */
const MAX_FILLED = 10_000;

function ensureParents(document: Document, path: string): void {
  const parts = partsOf(path);
  let container = document.root;
  for (let at = 0; at < parts.length - 1; at++) {
    if (!isMutableMap(container) && !isMutableList(container)) return;
    const part = parts[at] as string;
    const found = getFrom({ container, key: part });
    if ('value' in found && !isMissing(found.value)) {
      container = found.value;
      continue;
    }
    if (isMutableList(container) && /^\d+$/.test(part)) fill(container, Number(part));
    const made = newParent(parts[at + 1] as string);
    try {
      addTo({ container, key: part }, made);
    } catch (failure) {
      if (!(failure instanceof JsonPatchFailure)) throw failure;
    }
    container = made;
  }
}

function newParent(next: string): Container {
  if (next !== '-' && !/^[+-]?\d+$/.test(next)) return new Map();
  const index = next === '-' ? 0 : Number(next);
  if (index < -1) {
    const problem = `Unable to ensure path for negative index other than -1: ${index}: ${INVALID_INDEX}`;
    throw new JsonPatchFailure(problem);
  }
  const list: MutableJsonList = [];
  fill(list, index);
  return list;
}

function fill(list: MutableJsonList, length: number): void {
  if (length > MAX_FILLED) throw new JsonPatchFailure(badIndex(length));
  while (list.length < length) list.push(null);
}
