// The Go values behind CEL values, which lists and maps of custom resources hold and compare.
import { Panic } from '../../../cel/value/panic.ts';
import { Bytes, Duration, Timestamp } from '../../../cel/value/scalar.ts';
import { formatTimestamp } from '../../../cel/value/timestamp.ts';
import type { Value } from '../../../cel/value/value.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../../source/json/json.ts';

/** A value without a JSON form, for example the time that a text represents. */
export class ForeignValue {
  readonly goType: string;
  /** Go considers values of the same type and identity equal; undefined if the value equals no other. */
  readonly identity: string | undefined;

  constructor(goType: string, identity?: string) {
    this.goType = goType;
    this.identity = identity;
  }
}

export type GoValue = JsonValue | ForeignValue;

/** A container that keeps its JSON source. */
export interface JsonBacked {
  readonly json: GoValue;
}

function isJsonBacked(value: object): value is JsonBacked {
  return 'json' in value;
}

/** cel-go `ref.Val.Value()`. */
export function goValueOf(value: Value): GoValue {
  if (value === null) return new ForeignValue('structpb.NullValue', '');
  if (typeof value !== 'object') return value;
  if (isJsonBacked(value)) return value.json;
  if (value instanceof Timestamp) return new ForeignValue('time.Time', formatTimestamp(value));
  if (value instanceof Duration) return new ForeignValue('time.Duration', String(value.nanoseconds));
  if (value instanceof Bytes) return new ForeignValue('[]uint8');
  if (Array.isArray(value)) return new ForeignValue('[]ref.Val');
  return new ForeignValue(value instanceof Map ? 'map[ref.Val]ref.Val' : 'interface {}');
}

/** The value that cel-go creates from JSON without a schema. */
export function nativeValueOf(json: JsonValue): Value {
  if (isJsonArray(json)) return new NativeList(json);
  return isJsonObject(json) ? new NativeMap(json) : json;
}

class NativeList extends Array<Value> implements JsonBacked {
  /** `map` and other array methods must return plain arrays. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
  readonly json: JsonArray;

  constructor(json: JsonArray) {
    super();
    this.json = json;
    for (const item of json) this.push(nativeValueOf(item));
  }
}

class NativeMap extends Map<string, Value> implements JsonBacked {
  readonly json: JsonObject;

  constructor(json: JsonObject) {
    super();
    this.json = json;
    for (const [key, value] of json) this.set(key, nativeValueOf(value));
  }
}

/** Go's `%T`. */
export function goTypeName(value: GoValue): string {
  if (value instanceof ForeignValue) return value.goType;
  if (value === null) return '<nil>';
  if (isJsonArray(value)) return '[]interface {}';
  if (isJsonObject(value)) return 'map[string]interface {}';
  return SCALARS[typeof value] as string;
}

const SCALARS: Readonly<Record<string, string>> = {
  bigint: 'int64',
  boolean: 'bool',
  number: 'float64',
  string: 'string',
};

/** Key of a value in a Go map; Go panics for containers. */
export function hashKey(value: GoValue | undefined): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return `s${value}`;
  if (typeof value !== 'object') return value;
  const goType = goTypeName(value);
  if (/^(?:\[\]|map\[)/.test(goType)) throw new Panic(`runtime error: hash of unhashable type ${goType}`);
  const identity = value instanceof ForeignValue ? value.identity : undefined;
  return identity === undefined ? value : `f${goType} ${identity}`;
}
