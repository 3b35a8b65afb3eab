// JSON as CEL values with the types of its schema (apiserver `pkg/cel/common/valuesunstructured.go: UnstructuredToVal`).
import { opaque, type Type } from '../../../cel/check/type.ts';
import { Bytes, Duration } from '../../../cel/value/scalar.ts';
import { parseTimestamp } from '../../../cel/value/timestamp.ts';
import { ErrorValue, OpaqueValue, type Value } from '../../../cel/value/value.ts';
import { decodeUrlBase64 } from '../../../go/encoding/base64.ts';
import { FULL_DATE, LOCAL_TIME } from '../../../go/time/time.ts';
import { parseTime } from '../../../go/time/time-layout.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';
import { isSameJson } from '../object/json-equality.ts';
import type { Schema } from '../schema/schema.ts';
import { parseFormattedDuration } from '../validation/formatted-duration.ts';
import { ForeignValue, type GoValue, goTypeName, goValueOf, nativeValueOf } from './go-value.ts';
import { withTypeAndObjectMeta } from './resource-schema.ts';
import { TypedList, TypedListMap, TypedSet } from './typed-list.ts';
import { TypedMap } from './typed-map.ts';

export type ValueTyper = (value: GoValue, schema: Schema) => Value;

/** For one validation: caches one container per JSON value and schema. */
export class TypedValues {
  readonly #made = new Map<Schema, Map<JsonValue, Value>>();

  /** A value that does not match its schema becomes an error when an expression reads it. */
  readonly typed: ValueTyper = (value, schema) => {
    if (value === null) return schema.nullable ? null : invalid('got null for schema with nullable=false');
    if (schema.intOrString) return intOrString(value);
    switch (schema.type) {
      case 'object':
        return this.#object(value, schema);
      case 'array':
        return this.#array(value, schema);
      case 'string':
        return text(value, schema.values.format);
      case 'number':
        if (typeof value === 'number') return value;
        return typeof value === 'bigint' ? Number(value) : invalid(`expected float, got ${goTypeName(value)}`);
      case 'integer':
        return typeof value === 'bigint' ? value : invalid(`expected int, got ${goTypeName(value)}`);
      case 'boolean':
        return typeof value === 'boolean' ? value : invalid(`expected bool, got ${goTypeName(value)}`);
    }
    if (schema.preserveUnknownFields) return new PreservedValue(value);
    return new ErrorValue(
      `invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ${schema.type}`,
    );
  };

  #object(value: GoValue, schema: Schema): Value {
    if (value instanceof ForeignValue || !isJsonObject(value)) {
      return invalid('expected a map for the provided schema with type=object');
    }
    return this.#once(value, schema, () => {
      const declared = schema.embeddedResource ? withTypeAndObjectMeta(schema) : schema;
      return new TypedMap(value, declared, this.typed);
    });
  }

  #array(value: GoValue, schema: Schema): Value {
    const { items, listType } = schema;
    if (value instanceof ForeignValue || !isJsonArray(value)) {
      return invalid('expected an array for the provided schema with type=array');
    }
    if (items === undefined) return new ErrorValue('invalid array type, expected Items with a non-empty Schema');
    return this.#once(value, schema, () => {
      switch (listType) {
        case '':
        case 'atomic':
          return new TypedList(value, items, this.typed);
        case 'set':
          return new TypedSet(value, items, this.typed);
        case 'map':
          return new TypedListMap(value, items, schema.listMapKeys, this.typed);
      }
      return new ErrorValue(`invalid x-kubernetes-list-type, expected 'map', 'set' or 'atomic' but got ${listType}`);
    });
  }

  #once(value: JsonValue, schema: Schema, make: () => Value): Value {
    let made = this.#made.get(schema);
    if (made === undefined) {
      made = new Map();
      this.#made.set(schema, made);
    }
    let typed = made.get(value);
    if (typed === undefined) {
      typed = make();
      made.set(value, typed);
    }
    return typed;
  }
}

function invalid(reason: string): ErrorValue {
  return new ErrorValue(`invalid data, ${reason}`);
}

function intOrString(value: GoValue): Value {
  if (typeof value === 'string' || typeof value === 'bigint') return value;
  return invalid('expected XIntOrString value to be either a string or integer');
}

function text(value: GoValue, format: string): Value {
  if (typeof value !== 'string') return invalid(`expected string, got ${goTypeName(value)}`);
  switch (format) {
    case 'duration': {
      const nanoseconds = parseFormattedDuration(value);
      if (nanoseconds !== undefined) return new Duration(nanoseconds);
      return new ErrorValue(`Invalid duration ${value}: unable to parse ${value} as duration`);
    }
    case 'date': {
      const time = parseTimestamp(`${value}T00:00:00Z`);
      return time ?? new ErrorValue(`Invalid date formatted string ${value}: ${timeError(value, FULL_DATE)}`);
    }
    case 'date-time': {
      const time = value === '' ? parseTimestamp(EPOCH) : (parseTimestamp(value) ?? parseTimestamp(`${value}Z`));
      return time ?? new ErrorValue(`Invalid date-time formatted string ${value}: ${timeError(value, LOCAL_TIME)}`);
    }
    case 'byte': {
      const data = decodeUrlBase64(value);
      return 'error' in data
        ? new ErrorValue(`Invalid byte formatted string ${value}: ${data.error}`)
        : new Bytes(data);
    }
  }
  return value;
}

const EPOCH = '1970-01-01T00:00:00Z';

/** `layout` is the last one that was tried. */
function timeError(value: string, layout: typeof FULL_DATE | typeof LOCAL_TIME): string {
  const time = parseTime(layout, value);
  return 'error' in time ? time.error : '';
}

const UNKNOWN: Type = opaque('unknown');

/** The value of a field without a type, which rules can access only through `dyn`. */
class PreservedValue extends OpaqueValue {
  readonly type = UNKNOWN;
  readonly json: GoValue;

  constructor(json: GoValue) {
    super();
    this.json = json;
  }

  override equals(other: Value): boolean {
    const value = goValueOf(other);
    if (value instanceof ForeignValue || this.json instanceof ForeignValue) return false;
    return isSameJson(this.json, value);
  }

  override get native(): Value {
    return this.json instanceof ForeignValue ? this : nativeValueOf(this.json);
  }

  override get goType(): string {
    return '*common.unknownPreserved';
  }
}
