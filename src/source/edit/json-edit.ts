// Computes and applies small edits that turn one JSON value into another.
import { append } from '../../go/slices/append.ts';
import { copyFields } from '../json/copy-json.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts';
import { textField } from '../json/json-field.ts';
import type { FieldPath } from '../node/field-path.ts';

/**
 * Paths and indices refer to the value before any edit. `set` replaces an existing value, `add` adds a field, `insert`
 * adds an item before item `at` or at the end.
 */
export type JsonEdit =
  | { readonly kind: 'set'; readonly path: FieldPath; readonly value: JsonValue }
  | { readonly kind: 'add'; readonly path: FieldPath; readonly value: JsonValue }
  | { readonly kind: 'insert'; readonly path: FieldPath; readonly at: number; readonly value: JsonValue }
  | { readonly kind: 'remove'; readonly path: FieldPath };

/** If the product of two list lengths exceeds this, their items are not aligned. */
const MAX_CELLS = 250_000;

/** Empty if both are equal. List items are identified by `name`, otherwise by their content. */
export function editsBetween(before: JsonValue, after: JsonValue): readonly JsonEdit[] {
  const edits: JsonEdit[] = [];
  compare(before, after, [], edits);
  return edits;
}

/** Same result as `editsBetween`, but faster: `paths` must be the complete result of `changedPaths`. */
export function editsAt(before: JsonObject, after: JsonObject, paths: readonly FieldPath[]): readonly JsonEdit[] {
  const edits: JsonEdit[] = [];
  let done: FieldPath | undefined;
  for (const path of paths) {
    if (done !== undefined && startsWith(path, done)) continue;
    let one: JsonValue | undefined = before;
    let other: JsonValue | undefined = after;
    let depth = 0;
    // Descend as long as the fields are edited individually.
    while (depth < path.length && isJsonObject(one) && isJsonObject(other) && (depth === 0 || shareKeys(one, other))) {
      const key = String(path[depth]);
      [one, other] = [one.get(key), other.get(key)];
      depth += 1;
    }
    done = depth === path.length ? path : path.slice(0, depth);
    if (other === undefined) edits.push({ kind: 'remove', path: done });
    else if (one === undefined) edits.push({ kind: 'add', path: done, value: other });
    else compare(one, other, done, edits);
  }
  return edits;
}

function startsWith(path: FieldPath, start: FieldPath): boolean {
  if (start.length > path.length) return false;
  for (let index = 0; index < start.length; index++) if (path[index] !== start[index]) return false;
  return true;
}

function compare(before: JsonValue, after: JsonValue, path: FieldPath, edits: JsonEdit[]): void {
  if (before === after) return;
  if (isJsonObject(before) && isJsonObject(after)) compareObjects(before, after, path, edits);
  else if (isJsonArray(before) && isJsonArray(after)) compareLists(before, after, path, edits);
  else edits.push({ kind: 'set', path, value: after });
}

function compareObjects(before: JsonObject, after: JsonObject, path: FieldPath, edits: JsonEdit[]): void {
  if (path.length > 0 && !shareKeys(before, after)) {
    if (before.size + after.size > 0) edits.push({ kind: 'set', path, value: after });
    return;
  }
  // Most fields are equal, so allocate no path for them.
  for (const key of before.keys()) {
    const value = before.get(key) as JsonValue;
    const other = after.get(key);
    if (other === value) continue;
    if (other === undefined) edits.push({ kind: 'remove', path: [...path, key] });
    else compare(value, other, [...path, key], edits);
  }
  for (const key of after.keys()) {
    if (!before.has(key)) edits.push({ kind: 'add', path: [...path, key], value: after.get(key) as JsonValue });
  }
}

function shareKeys(one: JsonObject, other: JsonObject): boolean {
  for (const key of one.keys()) if (other.has(key)) return true;
  return false;
}

function compareLists(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  path: FieldPath,
  edits: JsonEdit[],
): void {
  const start = sameFromStart(before, after);
  if (start > 0 && start === before.length) {
    // Fast path: items were only appended, as most policies do.
    for (let index = 0; index < start; index++) compareItem(before, after, index, path, edits);
    for (let to = start; to < after.length; to++) {
      edits.push({ kind: 'insert', path, at: start, value: after[to] as JsonValue });
    }
    return;
  }
  const pairs = alignedItems(before, after, start);
  if (pairs.length === 0) {
    if (before.length + after.length > 0) edits.push({ kind: 'set', path, value: after });
    return;
  }
  const own: JsonEdit[] = [];
  let [from, to] = [0, 0];
  for (const [left, right] of [...pairs, [before.length, after.length] as const]) {
    for (; from < left; from++) own.push({ kind: 'remove', path: [...path, from] });
    for (; to < right; to++) own.push({ kind: 'insert', path, at: left, value: after[to] as JsonValue });
    if (left < before.length) compare(before[left] as JsonValue, after[right] as JsonValue, [...path, left], own);
    from = left + 1;
    to = right + 1;
  }
  append(edits, own);
}

function compareItem(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  index: number,
  path: FieldPath,
  edits: JsonEdit[],
): void {
  const value = before[index] as JsonValue;
  const other = after[index] as JsonValue;
  if (value !== other) compare(value, other, [...path, index], edits);
}

function sameFromStart(before: readonly JsonValue[], after: readonly JsonValue[]): number {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && isSameItem(before[start], after[start])) start += 1;
  return start;
}

/** Index pairs of items that stay, ascending on both sides; the first `start` items are known to stay. */
function alignedItems(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  start: number,
): readonly (readonly [number, number])[] {
  const most = Math.min(before.length, after.length);
  let end = 0;
  while (end < most - start && isSameItem(before.at(-1 - end), after.at(-1 - end))) end += 1;
  const middle = commonItems(
    before.slice(start, before.length - end).map(identity),
    after.slice(start, after.length - end).map(identity),
  );
  const same = [
    ...Array.from({ length: start }, (_, index) => [index, index] as const),
    ...middle.map(([one, other]) => [one + start, other + start] as const),
    ...Array.from({ length: end }, (_, index) => [before.length - end + index, after.length - end + index] as const),
  ];
  return withChangedItems(same, before, after);
}

/** Between two items that stay, equally many old and new unnamed items are paired as changed items. */
function withChangedItems(
  same: readonly (readonly [number, number])[],
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): readonly (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  let [from, to] = [0, 0];
  for (const [left, right] of [...same, [before.length, after.length] as const]) {
    const isEven = left - from === right - to;
    for (let index = 0; isEven && index < left - from; index++) {
      const [one, other] = [before[from + index], after[to + index]];
      if (isJsonObject(one) && isJsonObject(other) && nameOf(one) === nameOf(other)) {
        pairs.push([from + index, to + index]);
      } else if (!isJsonObject(one) && !isJsonObject(other)) pairs.push([from + index, to + index]);
    }
    if (left < before.length) pairs.push([left, right]);
    from = left + 1;
    to = right + 1;
  }
  return pairs;
}

/** Longest common subsequence. */
function commonItems(left: readonly string[], right: readonly string[]): readonly (readonly [number, number])[] {
  if (left.length * right.length > MAX_CELLS) return [];
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      const below = lengths[(i + 1) * width + j] as number;
      const beside = lengths[i * width + j + 1] as number;
      const both = (lengths[(i + 1) * width + j + 1] as number) + 1;
      lengths[i * width + j] = left[i] === right[j] ? both : Math.max(below, beside);
    }
  }
  const pairs: (readonly [number, number])[] = [];
  let [i, j] = [0, 0];
  while (i < left.length && j < right.length) {
    if (left[i] === right[j]) pairs.push([i++, j++]);
    else if ((lengths[(i + 1) * width + j] as number) >= (lengths[i * width + j + 1] as number)) i += 1;
    else j += 1;
  }
  return pairs;
}

/** Compares items of two lists, one derived from the other: by `name`, otherwise by content. Undefined never matches. */
export function isSameItem(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === other) return true;
  if (isJsonObject(one) && isJsonObject(other)) {
    const name = nameOf(one);
    if (name !== '' || nameOf(other) !== '') return name === nameOf(other);
  }
  return identity(one as JsonValue) === identity(other as JsonValue);
}

function nameOf(item: JsonObject): string {
  return textField(item, 'name');
}

function identity(item: JsonValue): string {
  if (isJsonObject(item) && nameOf(item) !== '') return `name ${nameOf(item)}`;
  return `value ${shapeOf(item)}`;
}

/** Equal for equal values in any field order. */
function shapeOf(value: JsonValue): string {
  if (isJsonArray(value)) return `[${value.map(shapeOf).join()}]`;
  if (isJsonObject(value)) {
    const fields = [...value].map(([key, item]) => `${JSON.stringify(key)}:${shapeOf(item)}`);
    return `{${fields.sort().join()}}`;
  }
  return typeof value === 'bigint' ? `${value}n` : JSON.stringify(value);
}

/** One step of a JSON patch (RFC 6902). */
export interface PatchStep {
  readonly op: 'add' | 'replace' | 'remove';
  /** A JSON pointer (RFC 6901). */
  readonly path: string;
  /** Absent for `remove`. */
  readonly value?: JsonValue;
  readonly edit: JsonEdit;
}

/** In reverse order, so that no step moves the target of a later step. */
export function patchSteps(edits: readonly JsonEdit[]): readonly PatchStep[] {
  return edits.toReversed().map((edit) => {
    const path = pointer(edit.kind === 'insert' ? [...edit.path, edit.at] : edit.path);
    if (edit.kind === 'remove') return { op: 'remove', path, edit };
    return { op: edit.kind === 'set' ? 'replace' : 'add', path, value: edit.value, edit };
  });
}

function pointer(path: FieldPath): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/**
 * Adds edits without a target to `left`. Copies the value, except for the objects in `own`: these are changed in place,
 * and new copies are added to `own`. A caller with many edits thus copies each object once.
 */
export function applyEdits(
  root: JsonValue,
  edits: readonly JsonEdit[],
  own = new Set<JsonValue>(),
): { value: JsonValue; left: readonly JsonEdit[] } {
  const tree = new EditTree(own);
  for (const edit of edits) tree.add(edit);
  const left: JsonEdit[] = [];
  return { value: tree.apply(root, left), left };
}

/** The edits of one value and, by path step, of its children. */
class EditTree {
  readonly #copies: Set<JsonValue>;
  readonly #own: JsonEdit[] = [];
  readonly #inserts: (JsonEdit & { readonly kind: 'insert' })[] = [];
  readonly #children = new Map<string | number, EditTree>();

  constructor(copies: Set<JsonValue>) {
    this.#copies = copies;
  }

  add(edit: JsonEdit, depth = 0): void {
    if (depth === edit.path.length) {
      if (edit.kind === 'insert') this.#inserts.push(edit);
      else this.#own.push(edit);
      return;
    }
    const step = edit.path[depth] as string | number;
    let child = this.#children.get(step);
    if (child === undefined) {
      child = new EditTree(this.#copies);
      this.#children.set(step, child);
    }
    child.add(edit, depth + 1);
  }

  /** Do not call for a removed value; its container omits it. */
  apply(value: JsonValue, left: JsonEdit[]): JsonValue {
    const own = this.#own.at(-1);
    if (own !== undefined && own.kind !== 'remove') return own.value;
    return this.#inside(value, left);
  }

  #made(left: JsonEdit[]): JsonValue {
    return this.#isNew ? this.apply(null, left) : this.#inside(undefined, left);
  }

  get #isRemoved(): boolean {
    return this.#own.at(-1)?.kind === 'remove';
  }

  get #isNew(): boolean {
    const own = this.#own.at(-1);
    return own !== undefined && own.kind !== 'remove';
  }

  /** True if the value is created by `add` edits of its fields alone. */
  get #isMade(): boolean {
    if (this.#isNew) return true;
    const steps = [...this.#children];
    return this.#inserts.length === 0
      ? steps.length > 0 && steps.every(([step, child]) => typeof step === 'string' && child.#isMade)
      : this.#own.length === 0 && steps.length === 0;
  }

  #inside(value: JsonValue | undefined, left: JsonEdit[]): JsonValue {
    if (isJsonArray(value)) return this.#list(value, left);
    const isObject = isJsonObject(value) || value === null || value === undefined;
    if (this.#inserts.length > 0 && (value === null || value === undefined)) {
      return this.#inserts.map((edit) => edit.value);
    }
    if (!isObject || this.#inserts.length > 0) {
      this.#leave(left);
      return value ?? null;
    }
    const fields = this.#ownFields(isJsonObject(value) ? value : undefined);
    for (const [step, child] of this.#children) {
      const key = String(step);
      const known = fields.get(key);
      if (child.#isRemoved) fields.delete(key);
      else if (known !== undefined) fields.set(key, child.apply(known, left));
      else if (typeof step === 'string' && child.#isMade) fields.set(key, child.#made(left));
      else child.#leave(left);
    }
    return fields;
  }

  #ownFields(value: JsonObject | undefined): Map<string, JsonValue> {
    if (value !== undefined && this.#copies.has(value)) return value as Map<string, JsonValue>;
    const copy = value === undefined ? new Map<string, JsonValue>() : copyFields(value);
    this.#copies.add(copy);
    return copy;
  }

  #list(list: readonly JsonValue[], left: JsonEdit[]): JsonValue {
    if (this.#isAppended(list)) return [...list, ...this.#inserts.map(({ value }) => value)];
    const items: JsonValue[] = [];
    const insertsAt = (isHere: (at: number) => boolean): void => {
      for (const edit of this.#inserts) if (isHere(edit.at)) items.push(edit.value);
    };
    for (let index = 0; index < list.length; index++) {
      const item = list[index] as JsonValue;
      if (this.#inserts.length > 0) insertsAt((at) => at === index);
      const child = this.#children.get(index);
      if (child === undefined) items.push(item);
      else if (!child.#isRemoved) items.push(child.apply(item, left));
    }
    insertsAt((at) => at >= list.length);
    for (const [step, child] of this.#children) {
      if (typeof step !== 'number' || step >= list.length) child.#leave(left);
    }
    return items;
  }

  /** Fast path: items were only appended, as most policies do. */
  #isAppended(list: readonly JsonValue[]): boolean {
    return this.#children.size === 0 && this.#inserts.every(({ at }) => at >= list.length);
  }

  #leave(left: JsonEdit[]): void {
    append(left, this.#own);
    append(left, this.#inserts);
    for (const child of this.#children.values()) child.#leave(left);
  }
}
