// Merges a patch into an object like kustomize (`kyaml/yaml/merge2`, `yaml/walk`). In lists, the patch's elements come first.
import { append } from '../../../go/slices/append.ts';
import { type JsonValue, stringifyJson } from '../../../source/json/json.ts';
import { mergeTypeOf, type PatchMergeField, type PatchMergeType } from './merge-keys.ts';
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

export class MergeFailure extends Error {}

/** Does not modify the object. Takes ownership of `patch` and reuses parts of it. */
export function strategicMerge(object: JsonValue, patch: Mutable): Mutable | undefined {
  const dest = mutableCopy(object);
  const type = isMutableMap(dest)
    ? mergeTypeOf(scalarText(dest.get('apiVersion')), scalarText(dest.get('kind')))
    : undefined;
  return walk(dest, patch, { type, keys: undefined });
}

/** Undefined: the value is removed. */
function walk(
  dest: Mutable | undefined,
  patch: Mutable | undefined,
  field: PatchMergeField | undefined,
): Mutable | undefined {
  const first = isMissing(dest) ? patch : dest;
  if (isMutableList(first)) {
    checkShape([dest, patch], isMutableList, 'SequenceNode');
    const listPatch = patch as MutableJsonList | null | undefined;
    if (field?.keys === undefined) return listPatch === undefined ? dest : listPatch;
    return walkList(dest as MutableJsonList | null | undefined, listPatch, field.keys, field.type);
  }
  if (isMissing(first) || isMutableMap(first)) {
    checkShape([dest, patch], isMutableMap, 'MappingNode');
    return walkMap(dest as MutableMap | null | undefined, patch as MutableMap | null | undefined, field?.type);
  }
  checkShape([dest, patch], isScalar, 'ScalarNode');
  return patch === undefined ? dest : patch;
}

function isScalar(value: Mutable): boolean {
  return !isMutableMap(value) && !isMutableList(value);
}

function checkShape(values: readonly (Mutable | undefined)[], fits: (value: Mutable) => boolean, name: string): void {
  for (const value of values) {
    if (isMissing(value) || fits(value)) continue;
    const actual = isMutableMap(value) ? 'MappingNode' : isMutableList(value) ? 'SequenceNode' : 'ScalarNode';
    const contents = `node contents:\n${flowText(value as Mutable)}\n`;
    throw new MergeFailure(`wrong node kind: expected ${name} but got ${actual}: ${contents}`);
  }
}

/** The YAML that kyaml prints for a node that was read from JSON. */
function flowText(value: Mutable): string {
  if (isMutableList(value)) return `[${value.map(flowText).join(', ')}]`;
  if (!isMutableMap(value)) return stringifyJson(value as JsonValue, { sortKeys: false, escapeHtml: true });
  const entries = [...value].map(([key, item]) => `${JSON.stringify(key)}: ${flowText(item)}`);
  return `{${entries.join(', ')}}`;
}

/** Marks a null that stays because only the object has it. */
const KEPT_NULL = Symbol('null');

function walkMap(
  dest: MutableMap | null | undefined,
  patch: MutableMap | null | undefined,
  type: PatchMergeType | undefined,
): Mutable | undefined {
  const result = visitMap(dest, patch);
  if (result === KEPT_NULL) return null;
  if (isMissing(result)) return undefined;
  const names = [...new Set([...result.keys(), ...(patch?.keys() ?? [])])].sort();
  for (const name of names) {
    const merged = walk(result.get(name), patch?.get(name), type?.field(name));
    const isKept = merged === null && result.get(name) === null && patch?.has(name) !== true;
    if (merged === undefined || (merged === null && !isKept)) result.delete(name);
    else result.set(name, merged);
  }
  return result;
}

function visitMap(
  dest: MutableMap | null | undefined,
  patch: MutableMap | null | undefined,
): MutableMap | typeof KEPT_NULL | undefined | null {
  if (isMissing(dest)) {
    if (isMutableMap(patch ?? undefined) && takeDirective(patch as MutableMap) === 'delete') return undefined;
    return patch === undefined && dest === null ? KEPT_NULL : patch;
  }
  if (patch === null) return undefined;
  const directive = patch === undefined ? 'merge' : takeDirective(patch);
  if (directive === 'delete') return undefined;
  return directive === 'replace' ? patch : dest;
}

const DIRECTIVE = '$patch';

function takeDirective(patch: MutableMap): 'merge' | 'replace' | 'delete' {
  const directive = patch.get(DIRECTIVE);
  if (isMissing(directive)) return 'merge';
  patch.delete(DIRECTIVE);
  return checkedDirective(directive);
}

function checkedDirective(directive: Mutable): 'merge' | 'replace' | 'delete' {
  const text = scalarText(directive);
  if (text === 'merge' || text === 'replace' || text === 'delete') return text;
  throw new MergeFailure(`unknown patch strategy '${text}'`);
}

function takeListDirective(patch: MutableJsonList | undefined): 'merge' | 'replace' | 'delete' {
  const holder = patch?.find((element) => isMutableMap(element) && !isMissing(element.get(DIRECTIVE)));
  if (patch === undefined || !isMutableMap(holder) || holder.size > 1) return 'merge';
  const value = scalarText(holder.get(DIRECTIVE));
  const directive = checkedDirective(value);
  setElement(patch, [DIRECTIVE], [value], undefined);
  return directive;
}

function walkList(
  dest: MutableJsonList | null | undefined,
  patch: MutableJsonList | null | undefined,
  keys: readonly string[],
  type: PatchMergeType | undefined,
): Mutable | undefined {
  let target: MutableJsonList | null | undefined;
  if (isMissing(dest)) target = patch;
  else if (patch === null) return undefined;
  else {
    const directive = takeListDirective(patch);
    if (directive === 'delete') return undefined;
    target = directive === 'replace' ? patch : dest;
  }
  if (isMissing(target)) return undefined;
  const sources = [target, patch ?? undefined];
  const values = elementValues(sources, keys);
  if (values.length > 0 || keys.length > 0) return mergeElements(target, sources, values, keys, type);
  return mergeElements(target, sources, primitiveValues(sources), [''], type);
}

/** The patch's values first. Each combination once. */
function elementValues(sources: readonly (MutableJsonList | undefined)[], keys: readonly string[]): string[][] {
  if (keys.length === 0) return [];
  const found = new Map<string, string[]>();
  for (const source of [sources[1], sources[0]]) {
    for (const element of source ?? []) {
      const values = keys.map((key) => (isMutableMap(element) ? keyText(element.get(key)) : ''));
      const seen = JSON.stringify(values);
      if (!found.has(seen)) found.set(seen, values);
    }
  }
  return [...found.values()];
}

/** Empty for values that kustomize treats as empty. */
function keyText(value: Mutable | undefined): string {
  return isMissing(value) ? '' : scalarText(value);
}

function primitiveValues(sources: readonly (MutableJsonList | undefined)[]): string[][] {
  const found = new Set<string>();
  for (const source of [sources[1], sources[0]]) for (const element of source ?? []) found.add(scalarText(element));
  return [...found].map((value) => [value]);
}

function mergeElements(
  dest: MutableJsonList,
  sources: readonly (MutableJsonList | undefined)[],
  allValues: readonly string[][],
  keys: readonly string[],
  type: PatchMergeType | undefined,
): Mutable | undefined {
  const valuesList = keys.length > 1 ? mergeValues(allValues) : allValues;
  const merged: MutableJsonList = [];
  let usedKeys: readonly string[] = [];
  for (const values of valuesList) {
    const [validKeys, validValues] = validPairs(valuesList, values, keys);
    usedKeys = validKeys;
    const [ownKeys, ownValues] = validPairs([validValues], validValues, validKeys);
    const [destElement, patchElement] = sources.map((source) => findElement(source, ownKeys, ownValues));
    const element = walk(destElement, patchElement, { type, keys: undefined });
    if (isMissing(element) || (isMutableMap(element) && element.size === 0)) {
      setElement(dest, validKeys, validValues, undefined);
      continue;
    }
    for (const [index, key] of validKeys.entries()) {
      const value = validValues[index] ?? '';
      if (isMutableMap(element) && key !== '' && !element.has(key) && value !== '') element.set(key, value);
    }
    setElement(merged, validKeys, validValues, element);
  }
  if (valuesList.length === 0) return dest;
  appendElements(merged, dest, usedKeys);
  return merged;
}

/** Joins combinations that differ only in empty values. */
function mergeValues(valuesList: readonly string[][]): string[][] {
  const merged = [...valuesList];
  for (let one = 0; one < merged.length; one++) {
    for (let other = 0; other < merged.length; other++) {
      const values = matchedValues(merged[one] as string[], merged[other] as string[]);
      if (values === undefined) continue;
      merged[one] = values;
      merged[other] = values;
    }
  }
  return merged;
}

function matchedValues(one: readonly string[], other: readonly string[]): string[] | undefined {
  let hasCommon = false;
  const values: string[] = [];
  for (const [index, value] of one.entries()) {
    const partner = other[index] ?? '';
    if (value === partner) hasCommon = true;
    else if (value !== '' && partner !== '') return undefined;
    values.push(value === '' ? partner : value);
  }
  return hasCommon ? values : undefined;
}

/** Drops keys that no element has, unless none has any. */
function validPairs(
  valuesList: readonly (readonly string[])[],
  values: readonly string[],
  keys: readonly string[],
): [readonly string[], readonly string[]] {
  const valid = new Set<string>();
  for (const each of valuesList)
    for (const [index, value] of each.entries()) if (value !== '') valid.add(keys[index] ?? '');
  if (valid.size === 0) return [keys, values];
  return [
    keys.filter((key) => valid.has(key)),
    values.filter((value, index) => value !== '' || valid.has(keys[index] ?? '')),
  ];
}

function findElement(
  list: MutableJsonList | undefined,
  keys: readonly string[],
  values: readonly string[],
): Mutable | undefined {
  if (keys.length === 0 || keys[0] === '') return list?.find((element) => scalarText(element) === values[0]);
  return list?.find(
    (element) => isMutableMap(element) && keys.every((key, index) => fieldIs(element, key, values[index] ?? '')),
  );
}

function fieldIs(element: MutableMap, key: string, value: string): boolean {
  const field = element.get(key);
  return field !== undefined && scalarText(field) === value;
}

/** kyaml's `ElementSetter`: replaces the matching element or appends. Without an element, removes it. Drops empty elements. */
function setElement(
  list: MutableJsonList,
  keys: readonly string[],
  values: readonly string[],
  element: Mutable | undefined,
): void {
  const kept: MutableJsonList = [];
  let isFound = false;
  const setsMap = keys.length > 0 && keys[0] !== '' && values.length > 0 && values[0] !== '';
  for (const each of list) {
    if (isMissing(each) || (isMutableMap(each) && each.size === 0)) continue;
    if (!isMutableMap(each) && setsMap) {
      kept.push(each);
      continue;
    }
    const fits = keys.every((key, index) => {
      const value = values[index] ?? '';
      if (key === '') return scalarText(each) === value;
      if (!isMutableMap(each) || isMissing(each.get(key))) return isMutableMap(each) && each.has(key) && value === '';
      return value === '' || scalarText(each.get(key)) === value;
    });
    if (!fits) {
      if (values.length > 0) kept.push(each);
      continue;
    }
    isFound = true;
    if (element !== undefined) kept.push(element);
  }
  if (!isFound && !isMissing(element)) kept.push(element);
  list.length = 0;
  append(list, kept);
}

function appendElements(target: MutableJsonList, source: readonly Mutable[], keys: readonly string[]): void {
  for (const element of source) {
    if (keys[0] === '') {
      setElement(target, [''], [scalarText(element)], element);
      continue;
    }
    const values: string[] = [];
    for (const key of keys) {
      const value = isMutableMap(element) ? element.get(key) : undefined;
      if (isMissing(value)) target.push(element);
      else values.push(scalarText(value));
    }
    if (keys.length > 1) setElement(target, keys, values, undefined);
    setElement(target, keys, values, element);
  }
}
