// Converts literals of the well-known protobuf messages to the plain values that they represent.
import { goQuote } from '../../go/strconv/quote.ts';
import { formatDuration } from '../value/duration.ts';
import { isMap } from '../value/equality.ts';
import { intOverflow, uintOverflow } from '../value/integer.ts';
import { Bytes, Duration, Timestamp, Uint } from '../value/scalar.ts';
import { formatTimestamp } from '../value/timestamp.ts';
import { typeOf } from '../value/type-of.ts';
import { ErrorValue, type ListValue, type MapValue, Optional, type Value } from '../value/value.ts';

type Fields = ReadonlyMap<string, Value>;

/** Go's name of the field type, its zero value, and the conversion of a value; undefined if the field cannot hold it. */
interface Scalar {
  readonly goType: string;
  readonly zero: Value;
  convert(value: Value): Value | undefined;
}

const NANOS_PER_SECOND = 1_000_000_000n;

const BOOL: Scalar = { goType: 'bool', zero: false, convert: (value) => ofType(value, 'boolean') };
const STRING: Scalar = { goType: 'string', zero: '', convert: (value) => ofType(value, 'string') };
const DOUBLE: Scalar = { goType: 'float64', zero: 0, convert: (value) => ofType(value, 'number') };
const FLOAT: Scalar = {
  goType: 'float32',
  zero: 0,
  convert: (value) => (typeof value === 'number' ? Math.fround(value) : undefined),
};
const INT64: Scalar = { goType: 'int64', zero: 0n, convert: (value) => ofType(value, 'bigint') };
const INT32: Scalar = {
  goType: 'int32',
  zero: 0n,
  convert: (value) =>
    typeof value === 'bigint' && BigInt.asIntN(32, value) !== value ? intOverflow() : INT64.convert(value),
};
const UINT64: Scalar = {
  goType: 'uint64',
  zero: new Uint(0n),
  convert: (value) => (value instanceof Uint ? value : undefined),
};
const UINT32: Scalar = {
  goType: 'uint32',
  zero: new Uint(0n),
  convert: (value) => (value instanceof Uint && value.value > 0xffff_ffffn ? uintOverflow() : UINT64.convert(value)),
};
const BYTES: Scalar = {
  goType: '[]uint8',
  zero: new Bytes(new Uint8Array()),
  convert: (value) => (value instanceof Bytes ? value : undefined),
};

function ofType(value: Value, type: 'bigint' | 'boolean' | 'number' | 'string'): Value | undefined {
  return typeof value === type ? value : undefined;
}

const WRAPPERS: ReadonlyMap<string, Scalar> = new Map([
  ['google.protobuf.BoolValue', BOOL],
  ['google.protobuf.BytesValue', BYTES],
  ['google.protobuf.DoubleValue', DOUBLE],
  ['google.protobuf.FloatValue', FLOAT],
  ['google.protobuf.Int32Value', INT32],
  ['google.protobuf.Int64Value', INT64],
  ['google.protobuf.StringValue', STRING],
  ['google.protobuf.UInt32Value', UINT32],
  ['google.protobuf.UInt64Value', UINT64],
]);

const JSON_SCALARS: ReadonlyMap<string, Scalar> = new Map([
  ['number_value', DOUBLE],
  ['string_value', STRING],
  ['bool_value', BOOL],
]);

/** Undefined for other messages. */
export function newWellKnownMessage(name: string, fields: Fields): Value | undefined {
  const wrapper = WRAPPERS.get(name);
  if (wrapper !== undefined) return scalarField(name, fields, 'value', wrapper);
  switch (name) {
    case 'google.protobuf.ListValue':
      return jsonField(name, fields, 'values', []);
    case 'google.protobuf.Struct':
      return jsonField(name, fields, 'fields', new Map());
    case 'google.protobuf.Value':
      return newJsonValue(name, fields);
    case 'google.protobuf.Duration':
    case 'google.protobuf.Timestamp':
      return newTime(name, fields);
    case 'google.protobuf.Any':
      return unpackAny(fields);
    default:
      return undefined;
  }
}

function conversionFailure(name: string, field: string, reason: string): ErrorValue {
  return new ErrorValue(`field type conversion error for ${name}.${field} value type: ${reason}`);
}

function scalarField(name: string, fields: Fields, field: string, { goType, zero, convert }: Scalar): Value {
  const value = fields.get(field);
  if (value === undefined) return zero;
  const converted = convert(value);
  if (converted instanceof ErrorValue) return conversionFailure(name, field, converted.message);
  return converted === undefined ? conversionFailure(name, field, unsupported(value, goType)) : converted;
}

/** cel-go words this message differently for each type. */
function unsupported(value: Value, goType: string): string {
  const type = typeOf(value).name;
  if (type === 'int' || type === 'uint') return `unsupported type conversion from '${type}' to ${goType}`;
  if (type === 'string') return `unsupported native conversion from string to '${goType}'`;
  if (type === 'null_type') return `type conversion error from 'null_type' to '${goType}'`;
  if (type === 'type') return "type conversion not supported for 'type'";
  return `type conversion error from ${GO_NAMES[type] ?? `'${type}'`} to '${goType}'`;
}

const GO_NAMES: Readonly<Record<string, string>> = {
  bool: 'bool',
  bytes: 'Bytes',
  double: 'Double',
  list: 'list',
  map: 'map',
  'google.protobuf.Duration': "'Duration'",
  'google.protobuf.Timestamp': "'Timestamp'",
};

function jsonField(name: string, fields: Fields, field: string, empty: Value): Value {
  const value = fields.get(field);
  if (value === undefined) return empty;
  const json = toJson(value);
  return json instanceof ErrorValue ? conversionFailure(name, field, json.message) : json;
}

function newJsonValue(name: string, fields: Fields): Value {
  for (const field of fields.keys()) {
    const scalar = JSON_SCALARS.get(field);
    if (scalar !== undefined) return scalarField(name, fields, field, scalar);
    if (field !== 'null_value') return jsonField(name, fields, field, null);
  }
  return null;
}

/** Converts a value to `google.protobuf.Value`; integers that a double cannot hold exactly become strings. */
function toJson(value: Value): Value {
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string')
    return value;
  if (typeof value === 'bigint') return jsonNumber(value);
  if (value instanceof Uint) return jsonNumber(value.value);
  if (value instanceof Bytes) return btoa(value.data.reduce((text, byte) => text + String.fromCharCode(byte), ''));
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof Duration) return formatDuration(value);
  if (Array.isArray(value)) return jsonList(value);
  if (isMap(value)) return jsonObject(value);
  if (value instanceof Optional) {
    return value.value === undefined ? new ErrorValue('optional.none() dereference') : toJson(value.value);
  }
  return new ErrorValue(unsupported(value, '*structpb.Value'));
}

function jsonList(list: ListValue): Value {
  const values = list.map(toJson);
  return values.find((value) => value instanceof ErrorValue) ?? values;
}

function jsonNumber(value: bigint): number | string {
  return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
}

function jsonObject(map: MapValue): Value {
  const object = new Map<string, Value>();
  for (const [key, value] of map.entries()) {
    if (typeof key !== 'string') return new ErrorValue(unsupported(key, 'string'));
    const json = toJson(value);
    if (json instanceof ErrorValue) return json;
    object.set(key, json);
  }
  return object;
}

function newTime(name: string, fields: Fields): Value {
  const seconds = scalarField(name, fields, 'seconds', INT64);
  const nanos = scalarField(name, fields, 'nanos', INT32);
  if (typeof seconds !== 'bigint') return seconds;
  if (typeof nanos !== 'bigint') return nanos;
  if (name === 'google.protobuf.Duration') return new Duration(saturate(seconds * NANOS_PER_SECOND + nanos));
  const rest = ((nanos % NANOS_PER_SECOND) + NANOS_PER_SECOND) % NANOS_PER_SECOND;
  return new Timestamp(seconds + (nanos - rest) / NANOS_PER_SECOND, Number(rest));
}

function saturate(value: bigint): bigint {
  const wrapped = BigInt.asIntN(64, value);
  if (wrapped === value) return value;
  return value < 0n ? -(1n << 63n) : (1n << 63n) - 1n;
}

/** Kubernetes registers no messages that an Any could contain. */
function unpackAny(fields: Fields): ErrorValue {
  const url = fields.get('type_url');
  const data = fields.get('value');
  const texts: string[] = [];
  if (typeof url === 'string' && url !== '') texts.push(`type_url:${goQuote(url)}`);
  if (data instanceof Bytes && data.data.length > 0) texts.push(`value:"${[...data.data].map(byteText).join('')}"`);
  return new ErrorValue(`unsupported conversion to ref.Val: (*dynamicpb.Message)${texts.join(' ')}`);
}

function byteText(byte: number): string {
  return byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c
    ? String.fromCharCode(byte)
    : `\\x${byte.toString(16).padStart(2, '0')}`;
}
