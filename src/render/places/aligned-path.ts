// Finds the same field in another document; list items are matched by their merge keys, as in patches.
import { isSameJson } from '../../kubernetes/custom-resource/object/json-equality.ts';
import { isJsonArray, isJsonObject, type JsonArray, type JsonValue } from '../../source/json/json.ts';
import type { FieldPath } from '../../source/node/field-path.ts';

/** Merge keys of strategic merge patches, in the order in which they are tried. */
const MERGE_KEYS = [
  'name',
  'mountPath',
  'devicePath',
  'containerPort',
  'port',
  'ip',
  'topologyKey',
  'uid',
  'type',
  'key',
];

/** The part of the path that the other document has, with its own list indices. */
export function alignedPath(rendered: JsonValue, path: FieldPath, other: JsonValue): FieldPath {
  const aligned: (string | number)[] = [];
  let here: JsonValue | undefined = rendered;
  let there: JsonValue | undefined = other;
  for (const step of path) {
    if (typeof step === 'string') {
      here = isJsonObject(here) ? here.get(step) : undefined;
      if (!isJsonObject(there) || !there.has(step)) return aligned;
      there = there.get(step);
      aligned.push(step);
      continue;
    }
    const list: JsonArray = isJsonArray(here) ? here : [];
    const index: number | undefined = isJsonArray(there) ? indexOfSame(list, step, there) : undefined;
    if (index === undefined) return aligned;
    here = list[step];
    there = (there as JsonArray)[index];
    aligned.push(index);
  }
  return aligned;
}

/** Index of the same item in another list; undefined if it is missing. */
function indexOfSame(list: JsonArray, index: number, other: JsonArray): number | undefined {
  const item = list[index];
  if (item === undefined) return undefined;
  if (!isJsonObject(item)) {
    if (other[index] !== undefined && isSameJson(item, other[index])) return index;
    const found = other.findIndex((each) => isSameJson(item, each));
    if (found >= 0) return found;
    return list.length === other.length && !isJsonObject(other[index]) ? index : undefined;
  }
  const key = MERGE_KEYS.find((name) => item.has(name) && other.some((each) => isJsonObject(each) && each.has(name)));
  if (key === undefined) return list.length === other.length ? index : undefined;
  const name = item.get(key) ?? null;
  const isNamed = (each: JsonValue | undefined): boolean =>
    isJsonObject(each) && each.has(key) && isSameJson(each.get(key) ?? null, name);
  if (isNamed(other[index])) return index;
  const found = other.findIndex(isNamed);
  return found < 0 ? undefined : found;
}
