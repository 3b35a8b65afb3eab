// Applies the defaults of a schema and removes non-nullable nulls (apiextensions `schema/defaulting`).
import type { Spending } from '../../../go/meter.ts';
import { copyJson } from '../../../source/json/copy-json.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';
import { additionalSchema, type Schema } from '../schema/schema.ts';
import { mutableArray, mutableObject } from './mutable-json.ts';

/** Cost of each value that a default adds. */
const STEPS_FOR_DEFAULT = 25;

/** Treats null as absent if the schema is not nullable. */
export function applyDefaults(value: JsonValue, schema: Schema | undefined, work: Spending): void {
  if (schema === undefined) return;
  const object = mutableObject(value);
  if (object !== undefined) {
    for (const [name, property] of schema.properties ?? []) {
      if (property.default === undefined) continue;
      if (!object.has(name) || isForbiddenNull(object.get(name), property)) {
        object.set(name, copied(property.default, work));
      }
    }
    const additional = additionalSchema(schema);
    for (const [key, item] of object) {
      const property = schema.properties?.get(key);
      if (property !== undefined) applyDefaults(item, property, work);
      else object.set(key, defaultItem(item, additional, work));
    }
  }
  const array = mutableArray(value);
  if (array === undefined) return;
  for (const [index, item] of array.entries()) array[index] = defaultItem(item, schema.items, work);
}

function defaultItem(item: JsonValue, schema: Schema | undefined, work: Spending): JsonValue {
  const value = isForbiddenNull(item, schema) ? copied(schema?.default ?? null, work) : item;
  applyDefaults(value, schema, work);
  return value;
}

function copied(value: JsonValue, work: Spending): JsonValue {
  work.spend(STEPS_FOR_DEFAULT * sizeOf(value));
  return copyJson(value);
}

/** Number of nested values, including the value itself. */
function sizeOf(value: JsonValue): number {
  if (isJsonArray(value)) return value.reduce<number>((sum, item) => sum + sizeOf(item), 1);
  if (!isJsonObject(value)) return 1;
  let sum = 1;
  for (const item of value.values()) sum += sizeOf(item);
  return sum;
}

/** Removes null fields that are not nullable and have no default. Nulls in lists stay. */
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
