// Evaluates the anchors of a strategic merge patch against the object and removes them (`mutate/patch/strategicPreprocessing.go`).
import type { JsonValue } from '../../../source/json/json.ts';
import { type Anchor, parseAnchor } from '../pattern/anchor.ts';
import { compilePattern } from '../pattern/compiled-pattern.ts';
import { matchPattern } from '../pattern/match-pattern.ts';
import { KyvernoPanic } from '../rule/rule-response.ts';
import {
  isMissing,
  isMutableList,
  isMutableMap,
  type Mutable,
  type MutableJsonList,
  type MutableMap,
  mutableCopy,
  scalarText,
} from './mutable-json.ts';

/** An anchor that does not hold. `condition` drops its list element, or the whole patch outside lists. `global` drops the whole patch. */
type Unmet = 'condition' | 'global';

/** False if a condition does not hold and nothing is patched. */
export function preprocessPatch(patch: Mutable, object: Mutable): boolean {
  if (preprocess(patch, object) !== undefined) return false;
  if (isMutableMap(patch)) deleteConditions(patch);
  return true;
}

function preprocess(pattern: Mutable, resource: Mutable | undefined): Unmet | undefined {
  if (isMutableMap(pattern)) return preprocessMap(pattern, resource);
  if (isMutableList(pattern) && isMutableMap(pattern[0]))
    return preprocessList(pattern, isMutableList(resource) ? resource : undefined);
  return undefined;
}

function preprocessMap(pattern: MutableMap, resource: Mutable | undefined): Unmet | undefined {
  resolveAdditions(pattern, resource);
  for (const type of ['global', 'condition'] as const) if (!conditionsHold(pattern, resource, type)) return type;
  for (const key of [...pattern.keys()]) {
    const anchor = parseAnchor(key);
    if (anchor !== undefined && isPatchAnchor(anchor)) continue;
    const unmet = preprocess(pattern.get(key) ?? null, isMutableMap(resource) ? resource.get(key) : undefined);
    if (unmet !== undefined) return unmet;
  }
  return undefined;
}

function isCondition({ type }: Anchor): boolean {
  return type === 'condition' || type === 'global';
}

function isPatchAnchor(anchor: Anchor): boolean {
  return isCondition(anchor) || anchor.type === 'addition';
}

/** `+(key)`: removed if the object has the key, otherwise renamed to the plain key. Returns the number of such keys. */
function resolveAdditions(pattern: Mutable, resource: Mutable | undefined): number {
  if (!isMutableMap(pattern)) return 0;
  let count = 0;
  for (const key of [...pattern.keys()]) {
    const anchor = parseAnchor(key);
    if (anchor?.type !== 'addition') continue;
    count++;
    if (isMutableMap(resource) && resource.has(anchor.key)) pattern.delete(key);
    else renameKey(pattern, key, anchor.key);
  }
  return count;
}

function renameKey(map: MutableMap, from: string, to: string): void {
  const entries = [...map].map(([key, value]): [string, Mutable] => [key === from ? to : key, value]);
  map.clear();
  for (const [key, value] of entries) map.set(key, value);
}

function conditionsHold(pattern: MutableMap, resource: Mutable | undefined, type: 'global' | 'condition'): boolean {
  for (const [text, value] of [...pattern]) {
    const anchor = parseAnchor(text);
    if (anchor?.type !== type) continue;
    if (!isMutableMap(resource) || !resource.has(anchor.key)) return false;
    const actual = resource.get(anchor.key) ?? null;
    if (resolveAdditions(value, actual) > 0) continue;
    if (matchPattern(comparable(actual), compilePattern(comparable(value))) !== undefined) return false;
  }
  return true;
}

/** Scalars compare as text. Numbers inside maps and lists compare as doubles. */
function comparable(value: Mutable): JsonValue {
  return isMutableMap(value) || isMutableList(value) ? withDoubles(value) : scalarText(value);
}

function withDoubles(value: Mutable): JsonValue {
  if (typeof value === 'bigint') return Number(value);
  if (isMutableList(value)) return value.map(withDoubles);
  if (!isMutableMap(value)) return value;
  return new Map([...value].map(([key, item]): [string, JsonValue] => [key, withDoubles(item)]));
}

/** An element with anchors is replaced by one element for each matching element of the object, identified by name. */
function preprocessList(pattern: MutableJsonList, resource: MutableJsonList | undefined): Unmet | undefined {
  for (const element of [...pattern]) {
    if (!hasAnchors(element, isPatchAnchor)) continue;
    const isGlobal = hasAnchors(element, ({ type }) => type === 'global');
    let globalHeld = false;
    let globalUnmet = false;
    const copy = mutableCopy(element as JsonValue);
    for (const actual of resource ?? []) {
      const unmet = preprocess(copy, actual);
      if (unmet === 'global') globalUnmet = true;
      if (unmet !== undefined) continue;
      if (isGlobal) globalHeld = true;
      else appendForElement(pattern, copy, actual);
    }
    if (resource === undefined) {
      const unmet = preprocess(copy, undefined);
      if (unmet === 'global') return 'global';
      if (unmet === undefined && isGlobal) globalHeld = true;
    }
    if (!globalHeld && globalUnmet) return 'global';
  }
  return undefined;
}

function appendForElement(pattern: MutableJsonList, element: Mutable, actual: Mutable): void {
  const name = isMutableMap(actual) ? actual.get('name') : undefined;
  if (isEmptyNode(name)) return;
  const added = mutableCopy(element as JsonValue);
  if (deleteAnchors(added, true) || !isMutableMap(added)) return;
  added.set('name', name as Mutable);
  pattern.push(added);
}

function isEmptyNode(value: Mutable | undefined): boolean {
  if (isMissing(value) || value === '') return true;
  return isMutableMap(value) ? value.size === 0 : isMutableList(value) && value.length === 0;
}

function hasAnchors(value: Mutable, isWanted: (anchor: Anchor) => boolean): boolean {
  if (isMutableMap(value)) {
    for (const [key, item] of value) {
      const anchor = parseAnchor(key);
      if (anchor !== undefined && isWanted(anchor)) return true;
      if (!isEmptyNode(item) && hasAnchors(item, isWanted)) return true;
    }
    return false;
  }
  if (isMutableList(value)) return value.some((item) => hasAnchors(item, isWanted));
  const anchor = typeof value === 'string' ? parseAnchor(value) : undefined;
  return anchor !== undefined && isCondition(anchor);
}

function deleteConditions(patch: MutableMap): void {
  for (const key of [...patch.keys()]) {
    const anchor = parseAnchor(key);
    const deletesScalar = anchor !== undefined && isCondition(anchor);
    if (deleteAnchors(patch.get(key) ?? null, deletesScalar)) patch.delete(key);
  }
}

/** True if the node contained only anchors and must be removed. */
function deleteAnchors(value: Mutable, deletesScalar: boolean): boolean {
  if (isMutableMap(value)) return deleteAnchorsInMap(value);
  return isMutableList(value) ? deleteAnchorsInList(value) : deletesScalar;
}

function deleteAnchorsInMap(map: MutableMap): boolean {
  let isLeft = false;
  for (const key of [...map.keys()]) {
    const anchor = parseAnchor(key);
    if (anchor === undefined || !isCondition(anchor)) continue;
    if (deleteAnchors(map.get(key) ?? null, true)) map.delete(key);
    else isLeft = true;
  }
  if (isLeft) {
    for (const key of [...map.keys()]) {
      const anchor = parseAnchor(key);
      if (anchor !== undefined && isCondition(anchor)) renameKey(map, key, anchor.key);
    }
  }
  let isEmpty = true;
  for (const key of [...map.keys()]) {
    if (deleteAnchors(map.get(key) ?? null, false)) map.delete(key);
    else isEmpty = false;
  }
  return isEmpty;
}

/** Upstream deletes by the original index, so with two anchored elements it deletes the wrong one. */
function deleteAnchorsInList(list: MutableJsonList): boolean {
  const elements = [...list];
  for (const [index, element] of elements.entries()) {
    if (!hasAnchors(element, isPatchAnchor) && !deleteAnchors(element, false)) continue;
    if (index >= list.length) throw new KyvernoPanic('runtime error: slice bounds out of range');
    list.splice(index, 1);
  }
  return list.length === 0 && elements.length > 0;
}
