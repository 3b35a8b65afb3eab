// JSON Patch as kube-apiserver applies it, with its deviations and messages (evanphx/json-patch 4.13 `patch.go`).
import { goQuote } from '../../go/strconv/quote.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../../source/json/json.ts';
import { LazyNode, type Member, NilNode } from './lazy-node.ts';

export interface JsonPatchOperation {
  readonly op: string;
  readonly path: string;
  /** Empty if absent. */
  readonly from: string;
  /** Undefined if absent. */
  readonly value: JsonValue | undefined;
}

export type JsonPatchResult =
  | { readonly document: JsonValue }
  /** A `test` operation failed: the server skips the patch without an error. */
  | { readonly testFailed: true }
  | { readonly error: string }
  /** kube-apiserver panics. */
  | { readonly panic: string };

/** The server's `JSONPatchMaxCopyBytes`: maximum number of bytes that all `copy` operations of a patch may add. */
const MAX_COPIED_BYTES = 3 * 1024 * 1024;

/** Does not modify the document; the result shares unchanged parts with it. */
export function applyJsonPatch(document: JsonObject, operations: readonly JsonPatchOperation[]): JsonPatchResult {
  try {
    const patch = new PatchRun(document);
    for (const operation of operations) patch.apply(operation);
    return { document: patch.document };
  } catch (problem) {
    if (problem instanceof PatchFailure) return problem.result;
    if (problem instanceof NilNode) return { panic: NIL_POINTER };
    throw problem;
  }
}

class PatchFailure extends Error {
  readonly result: Exclude<JsonPatchResult, { readonly document: JsonValue }>;
  constructor(result: Exclude<JsonPatchResult, { readonly document: JsonValue }>) {
    super();
    this.result = result;
  }
}

function failure(text: string): PatchFailure {
  return new PatchFailure({ error: text });
}

const MISSING = 'missing value';
const TEST_FAILED = new PatchFailure({ testFailed: true });
const nilMap = (): PatchFailure => new PatchFailure({ panic: 'assignment to entry in nil map' });
const NIL_POINTER = 'runtime error: invalid memory address or nil pointer dereference';

interface Place {
  readonly container: LazyNode;
  readonly key: string;
}

class PatchRun {
  #root: LazyNode;
  #copied = 0;

  constructor(document: JsonObject) {
    this.#root = new LazyNode(document);
    this.#root.openObject();
  }

  get document(): JsonValue {
    return this.#root.value;
  }

  apply(operation: JsonPatchOperation): void {
    const op = isDecodable(operation.op) ? operation.op : 'unknown';
    switch (op) {
      case 'add':
        this.#add(operation);
        break;
      case 'remove':
        this.#remove(operation);
        break;
      case 'replace':
        this.#replace(operation);
        break;
      case 'move':
        this.#move(operation);
        break;
      case 'test':
        this.#test(operation);
        break;
      case 'copy':
        this.#copy(operation);
        break;
      default:
        throw failure(`Unexpected kind: ${op}`);
    }
  }

  #add({ path, value }: JsonPatchOperation): void {
    if (!isDecodable(path)) throw failure(`add operation failed to decode path: ${MISSING}`);
    const place = this.#find(path);
    if (place === undefined) throw failure(`add operation does not apply: doc is missing path: "${path}": ${MISSING}`);
    within(`error in add for path: '${path}'`, () => addMember(place, patchNode(value)));
  }

  #remove({ path }: JsonPatchOperation): void {
    if (!isDecodable(path)) throw failure(`remove operation failed to decode path: ${MISSING}`);
    const place = this.#find(path);
    if (place === undefined) {
      throw failure(`remove operation does not apply: doc is missing path: "${path}": ${MISSING}`);
    }
    within(`error in remove for path: '${path}'`, () => removeMember(place));
  }

  #replace({ path, value }: JsonPatchOperation): void {
    if (!isDecodable(path)) throw failure(`replace operation failed to decode path: ${invalidEscape(path)}`);
    if (path === '') {
      this.#replaceDocument(value);
      return;
    }
    const place = this.#find(path);
    if (place === undefined)
      throw failure(`replace operation does not apply: doc is missing path: ${path}: ${MISSING}`);
    if (typeof member(place) === 'string') {
      throw failure(`replace operation does not apply: doc is missing key: ${path}: ${MISSING}`);
    }
    const { container, key } = place;
    if (container.elements !== undefined) {
      const { elements } = container;
      elements[position(key, elements.length)] = patchNode(value);
    } else setField(container, key, patchNode(value));
  }

  #replaceDocument(value: JsonValue | undefined): void {
    if (value === undefined) throw new NilNode();
    const node = new LazyNode(value);
    if (!node.openObject() && node.openArray() === undefined) {
      throw failure('replace operation value must be object or array: %!w(<nil>)');
    }
    this.#root = node;
  }

  #move({ from, path }: JsonPatchOperation): void {
    checkFrom('move', from);
    const source = this.#find(from);
    if (source === undefined) {
      throw failure(`move operation does not apply: doc is missing from path: ${from}: ${MISSING}`);
    }
    const moved = within(`error in move for path: '${source.key}'`, () => {
      const found = member(source);
      if (typeof found === 'string') throw failure(found);
      removeMember(source);
      return found;
    });
    if (!isDecodable(path)) throw failure(`move operation failed to decode path: ${invalidEscape(path)}`);
    const target = this.#find(path);
    if (target === undefined) {
      throw failure(`move operation does not apply: doc is missing destination path: ${path}: ${MISSING}`);
    }
    within(`error in move for path: '${path}'`, () => addMember(target, moved));
  }

  #test({ path, value }: JsonPatchOperation): void {
    if (!isDecodable(path)) throw failure(`test operation failed to decode path: ${invalidEscape(path)}`);
    if (path === '') {
      if (value === undefined) throw new NilNode();
      if (this.#root.equals(new LazyNode(value))) return;
      throw TEST_FAILED;
    }
    const place = this.#find(path);
    if (place === undefined) throw failure(`test operation does not apply: is missing path: ${path}: ${MISSING}`);
    const found = member(place);
    if (typeof found === 'string') throw failure(`error in test for path: '${path}': ${found}`);
    if (found === null && value === undefined) return;
    if (found === null || value === undefined || !found.equals(new LazyNode(value))) throw TEST_FAILED;
  }

  #copy({ from, path }: JsonPatchOperation): void {
    checkFrom('copy', from);
    const source = this.#find(from);
    if (source === undefined) {
      throw failure(`copy operation does not apply: doc is missing from path: ${from}: ${MISSING}`);
    }
    const found = member(source);
    if (typeof found === 'string') throw failure(`error in copy for from: '${from}': ${found}`);
    if (!isDecodable(path)) throw failure(`copy operation failed to decode path: ${MISSING}`);
    const target = this.#find(path);
    if (target === undefined) {
      throw failure(`copy operation does not apply: doc is missing destination path: ${path}: ${MISSING}`);
    }
    const copy = found === null ? null : this.#copyOf(found);
    within('error while adding value during copy', () => addMember(target, copy));
  }

  #copyOf(node: LazyNode): LazyNode {
    const { value } = node;
    this.#copied += utf8Length(stringifyJson(value, { sortKeys: false, escapeHtml: true }));
    if (this.#copied > MAX_COPIED_BYTES) {
      throw failure(
        `Unable to complete the copy, the accumulated size increase of copy is ${this.#copied}, exceeding the limit ${MAX_COPIED_BYTES}`,
      );
    }
    return new LazyNode(value);
  }

  /** The container and key that a path refers to; undefined if the container does not exist. */
  #find(path: string): Place | undefined {
    const steps = path.split('/');
    if (steps.length < 2) return undefined;
    let container = this.#root;
    for (const step of steps.slice(1, -1)) {
      const next = member({ container, key: decodeKey(step) });
      if (next === null || typeof next === 'string') return undefined;
      if (!next.openObject() && next.openArray() === undefined) return undefined;
      container = next;
    }
    return { container, key: decodeKey(steps.at(-1) as string) };
  }
}

/** The node at a location, or null if an object lacks the key; for a list, a string is the error. */
function member({ container, key }: Place): Member | string {
  const { elements } = container;
  if (elements === undefined) return container.field(key);
  const index = parseIndex(key);
  if (typeof index === 'string') return index;
  if (index < -elements.length || index >= elements.length) return invalidIndex(index);
  return elements[index < 0 ? index + elements.length : index] ?? null;
}

function addMember({ container, key }: Place, node: Member): void {
  const { elements } = container;
  if (elements === undefined) {
    setField(container, key, node);
    return;
  }
  if (key === '-') {
    elements.push(node);
    return;
  }
  const index = parseIndex(key);
  if (typeof index === 'string') throw failure(`value was not a proper array index: '${key}': ${index}`);
  const size = elements.length + 1;
  if (index >= size || index < -size) throw failure(invalidIndex(index));
  elements.splice(index < 0 ? index + size : index, 0, node);
}

function removeMember({ container, key }: Place): void {
  const { elements } = container;
  if (elements === undefined) {
    if (container.removeField(key)) return;
    throw failure(`Unable to remove nonexistent key: ${key}: ${MISSING}`);
  }
  const index = parseIndex(key);
  if (typeof index === 'string') throw failure(index);
  if (index >= elements.length || index < -elements.length) throw failure(invalidIndex(index));
  elements.splice(index, 1);
}

function setField(container: LazyNode, key: string, node: Member): void {
  if (container.isNull) throw nilMap();
  container.setField(key, node);
}

function patchNode(value: JsonValue | undefined): Member {
  return value === undefined ? null : new LazyNode(value);
}

function position(key: string, length: number): number {
  const index = Number(parseIndex(key));
  return index < 0 ? index + length : index;
}

/** Adds the location to errors of `act`. */
function within<T>(where: string, act: () => T): T {
  try {
    return act();
  } catch (problem) {
    if (!(problem instanceof PatchFailure) || !('error' in problem.result)) throw problem;
    throw failure(`${where}: ${problem.result.error}`);
  }
}

function invalidIndex(index: number): string {
  return `Unable to access invalid index: ${index}: invalid index referenced`;
}

/** `strconv.Atoi`; a string is its error. */
function parseIndex(key: string): number | string {
  if (!/^[+-]?[0-9]+$/.test(key)) return `strconv.Atoi: parsing ${goQuote(key)}: invalid syntax`;
  const index = BigInt(key.replace(/^\+/, ''));
  if (BigInt.asIntN(64, index) !== index) return `strconv.Atoi: parsing ${goQuote(key)}: value out of range`;
  return Number(index);
}

function decodeKey(key: string): string {
  return key.replace(/~[01]/g, (escaped) => (escaped === '~1' ? '/' : '~'));
}

function checkFrom(op: string, from: string): void {
  if (from === '') throw failure(`${op} operation failed to decode from: operation, missing from field: ${MISSING}`);
  if (!isDecodable(from)) throw failure(`${op} operation failed to decode from: ${invalidEscape(from)}`);
}

/** The server quotes strings like Go and decodes them as JSON, which lacks some of Go's escapes. */
function isDecodable(text: string): boolean {
  return !UNDECODABLE.test(text);
}

const UNDECODABLE = /[\u0000-\u0007\u000b\u000e-\u001f\u007f]/;

function invalidEscape(text: string): string {
  const character = UNDECODABLE.exec(text)?.[0];
  const letter = character === '\u0007' ? 'a' : character === '\u000b' ? 'v' : 'x';
  return `invalid character '${letter}' in string escape code`;
}

function utf8Length(text: string): number {
  let length = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) length += 1;
    else if (code < 0x800 || (code >= 0xd800 && code <= 0xdfff)) length += 2;
    else length += 3;
  }
  return length;
}
