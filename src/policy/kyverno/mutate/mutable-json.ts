// A mutable copy of JSON for applying patches in place.
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';

export type Mutable = null | boolean | bigint | number | string | MutableJsonList | MutableMap;

export type MutableJsonList = Mutable[];

export type MutableMap = Map<string, Mutable>;

export function mutableCopy(value: JsonValue): Mutable {
  if (isJsonArray(value)) return value.map(mutableCopy);
  if (!isJsonObject(value)) return value;
  const copy: MutableMap = new Map();
  for (const [key, item] of value) copy.set(key, mutableCopy(item));
  return copy;
}

export function isMutableMap(value: Mutable | undefined): value is MutableMap {
  return value instanceof Map;
}

export function isMutableList(value: Mutable | undefined): value is MutableJsonList {
  return Array.isArray(value);
}

/** True for missing and for null. */
export function isMissing(value: Mutable | undefined): value is null | undefined {
  return value === undefined || value === null;
}

/** A scalar's YAML text. Empty for maps and lists. */
export function scalarText(value: Mutable | undefined): string {
  if (isMissing(value)) return value === null ? 'null' : '';
  return typeof value === 'object' ? '' : String(value);
}
