// Structured merge of a configuration into an object (structured-merge-diff `typed/merge.go`).
import { copyFields } from '../../source/json/copy-json.ts';
import { isJsonArray, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from '../../source/json/json.ts';
import type { MergeList, MergeMap, MergeType } from './merge-type.ts';
import type { PatchValue } from './patch-value.ts';
import { type ElementIdentity, elementOf, isRefused } from './path-element.ts';
import { formOf } from './typed-value.ts';

/**
 * Both values must match the type (`typeMismatch`); at most one may be absent. Undefined if the result is empty. Parts
 * that the applied value does not change are shared with the live value.
 */
export function structuredMerge(
  type: MergeType,
  live: JsonValue | undefined,
  applied: JsonValue | undefined,
): JsonValue | undefined {
  if (applied === undefined) return live;
  if (live === undefined) return applied;
  const { map, scalar, list } = formOf(type, applied ?? live);
  if (map !== undefined) return mergeMaps(map, live, applied);
  if (scalar !== undefined) return applied;
  return list === undefined ? undefined : mergeLists(list, live, applied);
}

function mergeMaps(type: MergeMap, live: JsonValue, applied: JsonValue): JsonValue | undefined {
  const left = isJsonObject(live) ? live : NO_FIELDS;
  const right = isJsonObject(applied) ? applied : NO_FIELDS;
  // Distinguishes empty from null.
  if (type.isAtomic || (left.size === 0 && right.size === 0)) return applied;
  if (right.size === 0) return left;
  let merged: Map<string, JsonValue> | undefined;
  for (const key of right.keys()) {
    const item = right.get(key) as JsonValue;
    const fieldType = type.field(key)?.type ?? type.element;
    const known = left.get(key);
    const value = fieldType && structuredMerge(fieldType, known, item);
    if (value === known) continue;
    merged ??= copyFields(left);
    if (value === undefined) merged.delete(key);
    else merged.set(key, value);
  }
  return merged?.size === 0 ? undefined : (merged ?? left);
}

const NO_FIELDS: JsonObject = new Map();
const NO_ELEMENTS: JsonArray = [];

function mergeLists(type: MergeList, live: JsonValue, applied: JsonValue): JsonValue | undefined {
  const left = isJsonArray(live) ? live : NO_ELEMENTS;
  const right = isJsonArray(applied) ? applied : NO_ELEMENTS;
  if (type.isAtomic || (left.length === 0 && right.length === 0)) return applied;
  if (right.length === 0) return left;
  const merged = mergedInPlace(type, left, right) ?? new ListMerge(type, left, right).merge();
  if (merged.length === 0) return undefined;
  return merged.length === left.length && merged.every((item, index) => item === left[index]) ? left : merged;
}

/** Longer lists use an index. */
const MAX_PAIRS = 1_000;

/**
 * Fast path for most list patches: the applied elements all exist, in the order of the live list, or are all new.
 * Undefined for other lists and for repeated elements.
 */
function mergedInPlace(type: MergeList, live: JsonArray, applied: JsonArray): readonly JsonValue[] | undefined {
  const places = placesInOrder(type, live, applied);
  if (places === undefined) return undefined;
  const merged = [...live];
  for (let index = 0; index < applied.length; index++) {
    const item = applied[index] as JsonValue;
    const at = places[index] as number;
    if (at < 0) {
      merged.push(item);
      continue;
    }
    const value = structuredMerge(type.element, live[at], item);
    if (value === undefined) return undefined;
    merged[at] = value;
  }
  return merged;
}

/**
 * The index of each applied element in the live list, or -1 for new ones, which are appended. Either all exist, in the
 * same order, or all are new. Undefined for other lists, for repeated elements and for long lists.
 */
export function placesInOrder(
  type: MergeList,
  live: JsonArray,
  applied: readonly PatchValue[],
): readonly number[] | undefined {
  if (live.length * applied.length > MAX_PAIRS) return undefined;
  const identities: unknown[] = [];
  for (const item of live) {
    const identity = elementOf(type, item);
    if (isRefused(identity)) return undefined;
    identities.push(identity);
  }
  const places: number[] = [];
  let last = -1;
  for (let index = 0; index < applied.length; index++) {
    const identity = elementOf(type, applied[index] as PatchValue);
    if (isRefused(identity)) return undefined;
    const at = identities.indexOf(identity);
    const isNew = at < 0;
    // The first element decides whether all are new or all exist.
    if (index > 0 && isNew !== last < 0) return undefined;
    // The next iterations find repeated elements.
    if (isNew) identities.push(identity);
    else if (at <= last || at >= live.length || identities.includes(identity, at + 1)) return undefined;
    else last = at;
    places.push(at);
  }
  return places;
}

/** The elements of a list in order, and by identity. A repeated element has no value to merge with. */
interface IndexedList {
  readonly elements: readonly ElementIdentity[];
  readonly byIdentity: ReadonlyMap<ElementIdentity, JsonValue>;
}

/**
 * Shared elements follow the order of the applied list. Elements that only the live list has stay next to their
 * neighbours if that order permits.
 */
class ListMerge {
  readonly #type: MergeList;
  readonly #live: JsonArray;
  readonly #left: IndexedList;
  readonly #right: IndexedList;

  constructor(type: MergeList, live: JsonArray, applied: JsonArray) {
    this.#type = type;
    this.#live = live;
    this.#left = indexed(type, live);
    this.#right = indexed(type, applied);
  }

  merge(): readonly JsonValue[] {
    const out: JsonValue[] = [];
    const taken = new Set<ElementIdentity>();
    const left = this.#left.elements;
    const right = this.#right.elements;
    const shared = right.filter((identity) => this.#left.byIdentity.has(identity)).values();
    const nextShared = (): ElementIdentity | undefined => shared.next().value;
    let wanted = nextShared();
    let l = 0;
    let r = 0;
    while (l < left.length || r < right.length) {
      const leftIdentity = left[l];
      const rightIdentity = right[r];
      if (leftIdentity !== undefined && rightIdentity !== undefined) {
        if (leftIdentity === rightIdentity) {
          taken.add(leftIdentity);
          this.#take(out, leftIdentity);
          l++;
          r++;
          wanted = nextShared();
          continue;
        }
        // A shared element with a later position.
        if (this.#right.byIdentity.has(leftIdentity) && wanted !== undefined && wanted !== leftIdentity) {
          l++;
          continue;
        }
      }
      if (leftIdentity !== undefined) {
        if (!this.#right.byIdentity.has(leftIdentity)) {
          push(out, this.#live[l]);
          l++;
          continue;
        }
        if (taken.has(leftIdentity)) l++;
      }
      if (rightIdentity !== undefined) {
        taken.add(rightIdentity);
        this.#take(out, rightIdentity);
        r++;
        if (wanted === rightIdentity) wanted = nextShared();
      }
    }
    return out;
  }

  #take(out: JsonValue[], identity: ElementIdentity): void {
    const live = this.#left.byIdentity.get(identity);
    push(out, structuredMerge(this.#type.element, live, this.#right.byIdentity.get(identity)));
  }
}

function push(out: JsonValue[], value: JsonValue | undefined): void {
  if (value !== undefined) out.push(value);
}

function indexed(type: MergeList, list: JsonArray): IndexedList {
  const elements: ElementIdentity[] = [];
  const byIdentity = new Map<ElementIdentity, JsonValue>();
  for (const item of list) {
    const element = elementOf(type, item);
    if (isRefused(element)) continue;
    byIdentity.set(element, byIdentity.has(element) ? null : item);
    elements.push(element);
  }
  return { elements, byIdentity };
}
