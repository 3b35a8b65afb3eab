// Checks that elements of sets and keys of list maps are unique (apiextensions `schema/listtype/validation.go`).
import { Meter } from '../../../go/meter.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '../../../source/json/json.ts';
import { additionalSchema, type Schema } from '../schema/schema.ts';
import type { ServerError, ServerErrors } from '../server-error.ts';
import type { ServerPath } from '../server-path.ts';

/** Total length of all error messages of one object. */
const MAX_TEXT = 20_000_000;

/** In the order of the object, because Go's map order is random. Throws `WorkExceeded` if the messages exceed the length limit. */
export function listTypeErrors(
  object: JsonObject,
  schema: Schema,
  path: ServerPath,
  errors: ServerErrors,
): readonly ServerError[] {
  const check = new ListTypeCheck(errors);
  check.fields(object, schema, path);
  return check.found;
}

class ListTypeCheck {
  readonly found: ServerError[] = [];
  readonly #errors: ServerErrors;
  readonly #meter = new Meter(MAX_TEXT);

  constructor(errors: ServerErrors) {
    this.#errors = errors;
  }

  fields(object: JsonObject, schema: Schema, path: ServerPath): void {
    const additional = additionalSchema(schema);
    for (const [key, value] of object) {
      if (additional !== undefined) this.#value(value, additional, path.key(key));
      const property = schema.properties?.get(key);
      if (property !== undefined) this.#value(value, property, path.child(key));
    }
  }

  #value(value: JsonValue, schema: Schema, path: ServerPath): void {
    if (isJsonObject(value)) this.fields(value, schema, path);
    else if (isJsonArray(value)) this.#list(value, schema, path);
  }

  #list(list: JsonArray, schema: Schema, path: ServerPath): void {
    if (schema.listType === 'set') {
      for (const index of repetitions(list.map(identityOf))) {
        this.#add(this.#errors.duplicate(path.index(index), list[index] as JsonValue));
      }
    } else if (schema.listType === 'map') this.#listMap(list, schema.listMapKeys, path);
    const { items } = schema;
    if (items === undefined) return;
    for (const [index, item] of list.entries()) this.#value(item, items, path.index(index));
  }

  #listMap(list: JsonArray, keyFields: readonly string[], path: ServerPath): void {
    const wrong = list.findIndex((item) => item !== null && !isJsonObject(item));
    if (wrong >= 0) {
      const detail = 'must be an object for an array of list-type map';
      this.#add(this.#errors.invalid(path.index(wrong), list[wrong] as JsonValue, detail));
      return;
    }
    const keys = list.map((item) => keyOf(isJsonObject(item) ? item : new Map(), keyFields));
    const [onlyKey] = keyFields;
    const identities = keys.map((key) =>
      keyFields.length === 1 && onlyKey !== undefined ? fieldIdentity(key, onlyKey) : identityOf(key),
    );
    for (const index of repetitions(identities)) {
      this.#add(this.#errors.duplicate(path.index(index), keys[index] as JsonValue));
    }
  }

  #add(error: ServerError): void {
    this.#meter.spend(error.message.length);
    this.found.push(error);
  }
}

/** The key fields that are present in an element. */
function keyOf(element: JsonObject, keyFields: readonly string[]): JsonObject {
  const key = new Map<string, JsonValue>();
  for (const field of keyFields) {
    const value = element.get(field);
    if (value !== undefined) key.set(field, value);
  }
  return key;
}

/** Indexes of second occurrences; later occurrences are not reported. */
function repetitions(identities: readonly string[]): readonly number[] {
  const times = new Map<string, number>();
  const repeated: number[] = [];
  for (const [index, identity] of identities.entries()) {
    const seen = times.get(identity) ?? 0;
    times.set(identity, seen + 1);
    if (seen === 1) repeated.push(index);
  }
  return repeated;
}

function fieldIdentity(key: JsonObject, field: string): string {
  const value = key.get(field);
  return value === undefined ? '' : identityOf(value);
}

/** As in Go, integers differ from doubles, except inside containers, which are compared as JSON. */
function identityOf(value: JsonValue): string {
  const text = stringifyJson(value, { sortKeys: true, escapeHtml: false });
  return typeof value === 'number' ? `${text}d` : text;
}
