// Values as Kyverno's functions convert them to Go (cel-go `ConvertToNative`), with Go's messages.
import { isMap } from '../../../../cel/value/equality.ts';
import { Bytes, Duration, Timestamp, Uint } from '../../../../cel/value/scalar.ts';
import { formatTimestamp } from '../../../../cel/value/timestamp.ts';
import { ErrorValue, OpaqueValue, Optional, TypeValue, type Value } from '../../../../cel/value/value.ts';
import { encodeBase64 } from '../../../../go/encoding/base64.ts';
import type { JsonValue } from '../../../../source/json/json.ts';

/** What `json.Marshal` writes for the value. Null is an enum of protobuf in Go, and becomes 0. */
export function toNativeJson(value: Value): JsonValue | ErrorValue {
  if (value instanceof TypeValue) return String(value.type);
  if (value instanceof Optional && !value.hasValue) return null;
  if (isMap(value)) {
    for (const [key] of value.entries()) {
      const text = toNativeText(key);
      if (text instanceof ErrorValue) return text;
    }
  }
  return memberJson(value);
}

function memberJson(value: Value): JsonValue | ErrorValue {
  if (value === null) return 0n;
  if (typeof value === 'number' && !Number.isFinite(value)) {
    const text = String(value).replace(/^(-?)Infinity/, (_, sign: string) => `${sign || '+'}Inf`);
    return new ErrorValue(`json: unsupported value: ${text}`);
  }
  if (['boolean', 'bigint', 'number', 'string'].includes(typeof value)) return value as JsonValue;
  if (value instanceof Uint) return value.value;
  if (value instanceof Bytes) return encodeBase64(value.data.length, (index) => value.data[index] as number);
  if (value instanceof Duration) return value.nanoseconds;
  if (value instanceof Timestamp) return formatTimestamp(value);
  if (value instanceof TypeValue) return new ErrorValue("type conversion not supported for 'type'");
  if (value instanceof Optional) {
    return value.value === undefined ? new ErrorValue('optional.none() dereference') : memberJson(value.value);
  }
  if (value instanceof OpaqueValue) return opaqueText(value) ?? new ErrorValue('json: unsupported type');
  if (Array.isArray(value)) {
    const items = value.map((item: Value) => memberJson(item));
    return items.find((item) => item instanceof ErrorValue) ?? (items as JsonValue[]);
  }
  if (!isMap(value)) return new ErrorValue('json: unsupported type');
  const object = new Map<string, JsonValue>();
  for (const [key, item] of value.entries()) {
    if (typeof key !== 'string') return new ErrorValue('json: unsupported type: map[interface {}]interface {}');
    const json = memberJson(item);
    if (json instanceof ErrorValue) return json;
    object.set(key, json);
  }
  return object;
}

function opaqueText(value: OpaqueValue): string | undefined {
  return value.unadaptable?.replace(/^\([^)]*\)/, '');
}

/** The text of a string, of an optional string, or of a value of a library. */
export function toNativeText(value: Value): string | ErrorValue {
  if (typeof value === 'string') return value;
  if (value instanceof Optional) {
    return value.value === undefined ? new ErrorValue('optional.none() dereference') : toNativeText(value.value);
  }
  if (typeof value === 'bigint') return new ErrorValue("unsupported type conversion from 'int' to string");
  if (value instanceof Uint) return new ErrorValue("unsupported type conversion from 'uint' to string");
  if (value instanceof TypeValue) return new ErrorValue("type conversion not supported for 'type'");
  const text = value instanceof OpaqueValue ? opaqueText(value) : undefined;
  return text ?? new ErrorValue(`type conversion error from ${sourceName(value)} to 'string'`);
}

function sourceName(value: Value): string {
  if (typeof value === 'number') return 'Double';
  if (typeof value === 'boolean') return 'bool';
  if (value === null) return "'null_type'";
  if (value instanceof Bytes) return 'Bytes';
  if (value instanceof Duration) return "'Duration'";
  if (value instanceof Timestamp) return "'Timestamp'";
  if (Array.isArray(value)) return 'list';
  if (isMap(value)) return 'map';
  const { type } = value as { readonly type?: { readonly name: string } };
  return `'${type?.name}'`;
}

/** Name of the Go type that a member of a list is converted to. */
export function nativeTypeName(value: Value): string {
  if (value instanceof Optional && value.value !== undefined) return nativeTypeName(value.value);
  if (value === null) return 'structpb.NullValue';
  if (typeof value === 'bigint') return 'int64';
  if (typeof value === 'number') return 'float64';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'string';
  if (value instanceof Uint) return 'uint64';
  if (value instanceof Bytes) return '[]uint8';
  if (value instanceof Duration) return 'time.Duration';
  if (value instanceof Timestamp) return 'time.Time';
  if (Array.isArray(value)) return '[]interface {}';
  return value instanceof OpaqueValue ? value.goType : 'interface {}';
}
