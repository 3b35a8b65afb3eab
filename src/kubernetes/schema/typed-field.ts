// Reads and writes fields of a decoded object, whose values have the right types.
import { isJsonArray, isJsonObject, type JsonArray, type JsonValue } from '../../source/json/json.ts';

/** An object under construction; its creator owns it. */
export type MutableObject = Map<string, JsonValue>;

/** A struct or map; undefined if a pointer or map is nil. */
export function childObject(object: MutableObject, key: string): MutableObject | undefined {
  const value = object.get(key);
  return isJsonObject(value) ? (value as MutableObject) : undefined;
}

/** The struct behind a pointer; created if it is nil. */
export function ensureObject(object: MutableObject, key: string): MutableObject {
  const known = childObject(object, key);
  if (known !== undefined) return known;
  const made: MutableObject = new Map();
  object.set(key, made);
  return made;
}

/** Replaces a field with a copy that the object owns; nested values are shared. */
export function ownObject(object: MutableObject, key: string): MutableObject {
  const own: MutableObject = new Map(childObject(object, key));
  object.set(key, own);
  return own;
}

/** Sets a field of a nested struct, in a copy of that struct. */
export function setInsideIfNil(object: MutableObject, key: string, field: string, value: JsonValue): void {
  if (isNil(ensureObject(object, key), field)) ownObject(object, key).set(field, value);
}

/** The item of `before` at the same position, if the list grew or shrank in one position. */
export function itemBefore(list: JsonArray, index: number, before: JsonArray | undefined): JsonValue | undefined {
  const known = before?.[index];
  if (before === undefined || known === list[index] || before.length === list.length) return known;
  const shifted = before[index + before.length - list.length];
  return shifted === list[index] ? shifted : known;
}

export function childList(object: MutableObject, key: string): JsonArray {
  const value = object.get(key);
  return isJsonArray(value) ? value : [];
}

/** The structs of a list. */
export function childObjects(object: MutableObject, key: string): readonly MutableObject[] {
  return childList(object, key).filter(isJsonObject) as MutableObject[];
}

/** Empty if absent. */
export function childText(object: MutableObject, key: string): string {
  const value = object.get(key);
  return typeof value === 'string' ? value : '';
}

/** True for a nil pointer, list or map. */
export function isNil(object: MutableObject, key: string): boolean {
  return (object.get(key) ?? null) === null;
}

/** True for nil and for Go's zero values. */
export function isZero(object: MutableObject, key: string): boolean {
  const value = object.get(key) ?? null;
  return value === null || value === '' || value === false || value === 0n || value === 0;
}

export function setIfNil(object: MutableObject, key: string, value: JsonValue): void {
  if (isNil(object, key)) object.set(key, value);
}

export function setIfZero(object: MutableObject, key: string, value: JsonValue): void {
  if (isZero(object, key)) object.set(key, value);
}

/** A copy of a map for another field; undefined if it is nil or empty. */
export function copyOfMap(object: MutableObject | undefined, key: string): MutableObject | undefined {
  const map = object && childObject(object, key);
  return map === undefined || map.size === 0 ? undefined : new Map(map);
}
