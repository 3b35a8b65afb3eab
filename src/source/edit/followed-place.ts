// Finds the path that a field had before its document was changed.

import { isJsonArray, isJsonObject, type JsonArray, type JsonValue } from '../json/json.ts';
import type { FieldPath } from '../node/field-path.ts';
import { isSameItem } from './json-edit.ts';

/**
 * Path in `other` of the field at `path` in `value`; one of the two was derived from the other. Undefined if the field or one of its
 * ancestors was added, removed or replaced. Its content may differ. Added or removed list items shift the others.
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

/** Past the end of both lists, indices are equal. */
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
  // In lists of equal length without a common item, an item corresponds to the one at its index.
  return list.length === other.length && !list.some((one) => isSameItem(one, other[index])) ? index : undefined;
}
