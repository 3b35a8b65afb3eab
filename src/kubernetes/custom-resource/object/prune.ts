// Drops fields that the schema does not declare (apiextensions `schema/pruning/algorithm.go`).

import { compareUtf8, type JsonValue } from '../../../source/json/json.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { strictPath } from '../../schema/decode.ts';
import type { MutableObject } from '../../schema/typed-field.ts';
import { additionalSchema, asResource, META_FIELDS, type Schema } from '../schema/schema.ts';
import { mutableArray, mutableObject } from './mutable-json.ts';

/** Returns the dropped paths, sorted by text. */
export function prune(value: JsonValue, schema: Schema, isResourceRoot: boolean): readonly FieldPath[] {
  const pruning = new Pruning();
  pruning.prune(value, isResourceRoot ? asResource(schema) : schema);
  return pruning.dropped
    .map((path) => ({ path, text: strictPath(path) }))
    .sort((a, b) => compareUtf8(a.text, b.text))
    .map(({ path }) => path);
}

class Pruning {
  readonly dropped: FieldPath[] = [];
  readonly #path: (string | number)[] = [];

  prune(value: JsonValue, schema: Schema | undefined): void {
    if (schema?.preserveUnknownFields) {
      this.#preserve(value, schema);
      return;
    }
    const object = mutableObject(value);
    if (object !== undefined) this.#pruneFields(object, schema);
    for (const [index, item] of (mutableArray(value) ?? []).entries()) {
      this.#at(index, () => this.prune(item, schema?.items));
    }
  }

  #pruneFields(object: MutableObject, schema: Schema | undefined): void {
    for (const [key, value] of object) {
      if (schema?.embeddedResource && META_FIELDS.has(key)) continue;
      if (isKnown(schema, key)) this.#at(key, () => this.prune(value, schemaFor(schema, key)));
      else this.#drop(object, key, schema);
    }
  }

  /** Does not report meta fields of the root that the schema does not declare. */
  #drop(object: MutableObject, key: string, schema: Schema | undefined): void {
    const isSilent = schema !== undefined && META_FIELDS.has(key) && this.#path.length === 0;
    if (!isSilent) this.dropped.push([...this.#path, key]);
    object.delete(key);
  }

  /** Keeps unknown fields and continues pruning below known ones. */
  #preserve(value: JsonValue, schema: Schema): void {
    for (const [key, item] of mutableObject(value) ?? []) {
      if (schema.embeddedResource && META_FIELDS.has(key)) continue;
      if (isKnown(schema, key)) this.#at(key, () => this.prune(item, schemaFor(schema, key)));
    }
    const { items } = schema;
    if (items === undefined) return;
    for (const [index, item] of (mutableArray(value) ?? []).entries()) {
      this.#at(index, () => this.#preserve(item, items));
    }
  }

  #at(step: string | number, visit: () => void): void {
    this.#path.push(step);
    visit();
    this.#path.pop();
  }
}

function isKnown(schema: Schema | undefined, key: string): boolean {
  if (schema === undefined) return false;
  return schema.additionalProperties !== undefined || schema.properties?.has(key) === true;
}

function schemaFor(schema: Schema | undefined, key: string): Schema | undefined {
  return schema && (schema.properties?.get(key) ?? additionalSchema(schema));
}
