// Reads fields of objects that were not validated: a value of the wrong type reads as absent.
import type { FieldPath } from '../node/field-path.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from './json.ts';

const EMPTY: JsonObject = new Map();

export function objectField(object: JsonObject, name: string): JsonObject | undefined {
  const value = object.get(name);
  return isJsonObject(value) ? value : undefined;
}

export function objectOrEmpty(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : EMPTY;
}

/** Empty if absent or not a string. */
export function textField(object: JsonObject, name: string): string {
  const value = object.get(name);
  return typeof value === 'string' ? value : '';
}

/** For fields that are pointers in Go: the empty string is a value, undefined means absent. */
export function optionalTextField(object: JsonObject, name: string): string | undefined {
  const value = object.get(name);
  return typeof value === 'string' ? value : undefined;
}

/** The strings of an array. null reads as an empty string, as Go decodes it; items of other types are omitted. */
export function textItems(value: JsonValue | undefined): readonly string[] {
  if (!isJsonArray(value)) return [];
  return value.map((item) => item ?? '').filter((item) => typeof item === 'string');
}

/** The objects of an array. Items of other types become empty objects, so that indices stay valid. */
export function objectItems(value: JsonValue | undefined): readonly JsonObject[] {
  return isJsonArray(value) ? value.map(objectOrEmpty) : [];
}

/** Undefined if the path does not exist. */
export function valueAt(root: JsonValue, path: FieldPath): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const step of path) {
    value = valueUnder(value, step);
    if (value === undefined) return undefined;
  }
  return value;
}

/** Undefined if the value has no such key or index. */
export function valueUnder(value: JsonValue | undefined, step: string | number): JsonValue | undefined {
  if (isJsonObject(value)) return value.get(String(step));
  return isJsonArray(value) ? value[Number(step)] : undefined;
}
