// Where a field stood before a value was changed, and whether it was changed.

import { isJsonArray, isJsonObject, type JsonArray, type JsonValue } from '../json/json.ts';
import type { FieldPath } from '../node/field-path.ts';
import { isSameItem } from './json-edit.ts';

/**
 * The place in `other` of what stands at `path` in `value`, one of which was made of the other; undefined where it, or what it is in, was
 * added, taken away or replaced. What is in it may differ. Items of lists that came or went move the others.
 */
export function followedPlace(value: JsonValue, other: JsonValue, path: FieldPath): FieldPath | undefined {
  const place: (string | number)[] = [];
  let one: JsonValue | undefined = value;
  let two: JsonValue | undefined = other;
  for (const step of path) {
    if (one === two) {
      place.push(step);
    } else if (isJsonObject(one) && isJsonObject(two)) {
      place.push(step);
      [one, two] = [one.get(String(step)), two.get(String(step))];
      if ((one === undefined) !== (two === undefined)) return undefined;
    } else if (isJsonArray(one) && isJsonArray(two)) {
      const at = counterpart(one, two, Number(step));
      if (at === undefined) return undefined;
      place.push(at);
      [one, two] = [one[Number(step)], two[at]];
    } else return undefined;
  }
  const isInside = (isJsonObject(one) && isJsonObject(two)) || (isJsonArray(one) && isJsonArray(two));
  return one === two || isInside ? place : undefined;
}

/** Beyond the end of both lists everything is where it was. */
function counterpart(list: JsonArray, other: JsonArray, index: number): number | undefined {
  const item = list[index];
  if (item === undefined) return index < other.length ? undefined : index;
  const moved = index + other.length - list.length;
  for (const at of [index, moved]) if (other[at] === item) return at;
  for (const at of [index, moved]) {
    const candidate = other[at];
    if (candidate !== undefined && isSameItem(item, candidate)) return at;
  }
  const same = other.indexOf(item);
  if (same >= 0) return same;
  const alike = other.findIndex((candidate) => isSameItem(item, candidate));
  if (alike >= 0) return alike;
  // As many items as before: what is another one at its place is the old one, changed.
  return list.length === other.length && !list.some((one) => isSameItem(one, other[index])) ? index : undefined;
}
