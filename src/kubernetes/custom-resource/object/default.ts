// Fills in the defaults of a schema and removes nulls that mean nothing (apiextensions `schema/defaulting`).
import type { JsonValue } from '../../../source/json.ts';
import { additionalSchema, type Schema } from '../schema/schema.ts';
import { copyJson, mutableArray, mutableObject } from './mutable-json.ts';

/** A null counts as absent where the schema does not allow it. */
export function applyDefaults(value: JsonValue, schema: Schema | undefined): void {
  if (schema === undefined) return;
  const object = mutableObject(value);
  if (object !== undefined) {
    for (const [name, property] of schema.properties ?? []) {
      if (property.default === undefined) continue;
      if (!object.has(name) || isForbiddenNull(object.get(name), property)) {
        object.set(name, copyJson(property.default));
      }
    }
    const additional = additionalSchema(schema);
    for (const [key, item] of object) {
      const property = schema.properties?.get(key);
      if (property !== undefined) applyDefaults(item, property);
      else object.set(key, defaultItem(item, additional));
    }
  }
  const array = mutableArray(value);
  if (array === undefined) return;
  for (const [index, item] of array.entries()) array[index] = defaultItem(item, schema.items);
}

function defaultItem(item: JsonValue, schema: Schema | undefined): JsonValue {
  const value = isForbiddenNull(item, schema) ? copyJson(schema?.default ?? null) : item;
  applyDefaults(value, schema);
  return value;
}

/** Removes fields that are null, must not be, and have no default; nulls in lists stay. */
export function removeNulls(value: JsonValue, schema: Schema | undefined): void {
  const object = mutableObject(value);
  for (const [key, item] of object ?? []) {
    const field = schema && (schema.properties?.get(key) ?? additionalSchema(schema));
    if (isForbiddenNull(item, field) && field?.default === undefined) object?.delete(key);
    else removeNulls(item, field);
  }
  for (const item of mutableArray(value) ?? []) removeNulls(item, schema?.items);
}

function isForbiddenNull(value: JsonValue | undefined, schema: Schema | undefined): boolean {
  return value === null && schema !== undefined && !schema.nullable;
}
