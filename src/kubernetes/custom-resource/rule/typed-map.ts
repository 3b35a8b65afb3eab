// Objects and maps of custom resources in rules (apiserver `unstructuredMap`).
import { noSuchOverload } from '../../../cel/library/no-such-overload.ts';
import { findKey, isMap } from '../../../cel/value/equality.ts';
import { HostMap } from '../../../cel/value/host-container.ts';
import { ErrorValue, type Value } from '../../../cel/value/value.ts';
import { COMPARED, type Meter } from '../../../go/meter.ts';
import type { JsonObject, JsonValue } from '../../../source/json/json.ts';
import { escapeFieldName, unescapeFieldName } from '../../cel/field-name.ts';
import { isSameJson } from '../object/json-equality.ts';
import { additionalSchema, type Schema } from '../schema/schema.ts';
import { nativeValueOf } from './go-value.ts';
import { sameMember } from './same-member.ts';
import type { ValueTyper } from './typed-values.ts';

/**
 * An object exposes its declared non-null fields by their escaped names, and by their own names unless these look
 * escaped. A map exposes every entry. The size is that of the JSON.
 */
export class TypedMap extends HostMap {
  readonly json: JsonObject;
  readonly #schema: Schema;
  #native: Value | undefined;

  constructor(json: JsonObject, schema: Schema, typed: ValueTyper) {
    super();
    this.json = json;
    this.#schema = schema;
    const { properties } = schema;
    for (const [key, value] of json) {
      const field = this.#schemaOf(key);
      if (field === undefined || (properties !== undefined && value === null)) continue;
      const member = typed(value, field);
      if (properties === undefined || unescapeFieldName(key) === key) this.set(key, member);
      const escaped = properties === undefined ? key : escapeFieldName(key);
      if (escaped !== undefined && escaped !== key) this.set(escaped, member);
    }
  }

  override get native(): Value {
    this.#native ??= nativeValueOf(this.json);
    return this.#native;
  }

  override get size(): number {
    return this.json.size;
  }

  /** Declared fields, including null ones, by their names in expressions; then one null for each undeclared field. */
  override *keys(): MapIterator<string | null> {
    let others = 0;
    for (const key of this.json.keys()) {
      if (this.#schemaOf(key) === undefined) others++;
      else yield this.#schema.properties === undefined ? key : (escapeFieldName(key) ?? key);
    }
    for (; others > 0; others--) yield null;
  }

  override *entries(): MapIterator<[string | null, Value]> {
    for (const key of this.keys()) {
      const value = this.get(key);
      yield [key, value === undefined ? noSuchKey(key) : value];
    }
  }

  override *values(): MapIterator<Value> {
    for (const [, value] of this.entries()) yield value;
  }

  override [Symbol.iterator](): MapIterator<[string | null, Value]> {
    return this.entries();
  }

  override equals(other: Value, meter?: Meter): boolean | ErrorValue {
    if (!isMap(other)) return noSuchOverload(other);
    if (this.size !== other.size) return false;
    for (const [key, value] of this.json) {
      meter?.spend(COMPARED);
      const isDeclared = this.#schemaOf(key) !== undefined;
      const result = isDeclared ? this.#sameMember(key, other, meter) : this.#sameUnknown(key, value, other);
      if (result !== true) return result;
    }
    return true;
  }

  #sameMember(key: string, other: Value, meter: Meter | undefined): boolean | ErrorValue {
    const own = this.get(key);
    const theirs = isMap(other) ? findKey(other, key) : undefined;
    if (own === undefined || theirs === undefined) return own === theirs;
    return sameMember(own, theirs, meter);
  }

  /** Compares undeclared fields as JSON. A field that the other object lacks is ignored. */
  #sameUnknown(key: string, value: JsonValue, other: Value): boolean | ErrorValue {
    if (!(other instanceof TypedMap)) return noSuchOverload();
    const theirs = other.json.get(key);
    return theirs === undefined || isSameJson(value, theirs);
  }

  #schemaOf(key: string): Schema | undefined {
    const { properties } = this.#schema;
    return properties === undefined ? additionalSchema(this.#schema) : properties.get(key);
  }
}

function noSuchKey(key: string | null): ErrorValue {
  return new ErrorValue(`no such key: ${key}`);
}
