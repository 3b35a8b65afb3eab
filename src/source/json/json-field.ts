// Reading fields of objects whose shape nobody has checked: what has the wrong type is read as absent.
import type { FieldPath } from '../node/field-path.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from './json.ts';

const EMPTY: JsonObject = new Map();

export function objectField(object: JsonObject, name: string): JsonObject | undefined {
  const value = object.get(name);
  return isJsonObject(value) ? value : undefined;
}

/** The object, or one without fields. */
export function objectOrEmpty(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : EMPTY;
}

/** Empty if absent or not a string. */
export function textField(object: JsonObject, name: string): string {
  const value = object.get(name);
  return typeof value === 'string' ? value : '';
}

/** For what is a pointer in Go: empty text is something written, undefined is nothing. */
export function optionalTextField(object: JsonObject, name: string): string | undefined {
  const value = object.get(name);
  return typeof value === 'string' ? value : undefined;
}

/** The strings of an array; null is an empty one, as Go decodes it, entries of other types are left out. */
export function textItems(value: JsonValue | undefined): readonly string[] {
  if (!isJsonArray(value)) return [];
  return value.map((item) => item ?? '').filter((item) => typeof item === 'string');
}

/** The objects of an array; entries of other types stay as empty objects, so that indices remain true. */
export function objectItems(value: JsonValue | undefined): readonly JsonObject[] {
  return isJsonArray(value) ? value.map(objectOrEmpty) : [];
}

/** Undefined where the path leads to nothing. */
export function valueAt(root: JsonValue, path: FieldPath): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const step of path) {
    value = valueUnder(value, step);
    if (value === undefined) return undefined;
  }
  return value;
}

/** One step into an object or an array; undefined where there is none. */
export function valueUnder(value: JsonValue | undefined, step: string | number): JsonValue | undefined {
  if (isJsonObject(value)) return value.get(String(step));
  return isJsonArray(value) ? value[Number(step)] : undefined;
}
