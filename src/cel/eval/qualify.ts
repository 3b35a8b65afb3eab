// Reads a field, key or index of a value (cel-go `interpreter/attributes.go: refQualify`).
import { goQuote } from '../../go/strconv/quote.ts';
import { findKey, isMap } from '../value/equality.ts';
import { goText } from '../value/go-text.ts';
import { HostList, HostMap } from '../value/host-container.ts';
import { MAX_INT } from '../value/integer.ts';
import { KeyedMap } from '../value/keyed-map.ts';
import { Uint } from '../value/scalar.ts';
import { goTypeOf, typeOf } from '../value/type-of.ts';
import {
  ErrorValue,
  type ListValue,
  OpaqueValue,
  Optional,
  StructValue,
  TypeValue,
  type Value,
} from '../value/value.ts';

/** An ErrorValue if the field does not exist. `typed`: the checker determined that the operand is a struct. */
export function qualify(operand: Value, key: Value, typed: boolean): Value {
  const found = find(operand, key, typed);
  return found === undefined ? missing(operand, key) : found;
}

/** Undefined if the value has no such field, key or index; an error if the key has an unsupported type. */
export function qualifyIfPresent(operand: Value, key: Value, typed: boolean): Value | undefined {
  if (typed && operand instanceof StructValue && !(isReadable(operand) && operand.fields.has(key as string)))
    return undefined;
  if (operand instanceof OpaqueValue && !(typeof key === 'string' && operand.has(key))) return undefined;
  return find(operand, key, typed);
}

function find(operand: Value, key: Value, typed: boolean): Value | undefined {
  if (isMap(operand)) return findKey(operand, key);
  if (Array.isArray(operand)) return findElement(operand, key);
  if (operand instanceof OpaqueValue) return typeof key === 'string' ? operand.get(key) : undefined;
  // Only for statically typed operands: at run time, Kubernetes' objects expose no fields. Unset fields read as null.
  if (typed && operand instanceof StructValue) return readField(operand, key as string);
  const isMessage = operand instanceof StructValue && operand.type.name === 'google.protobuf.Empty';
  return isMessage ? new ErrorValue(`no such field '${goText(key)}'`) : undefined;
}

function readField(operand: StructValue, name: string): Value {
  if (!isReadable(operand)) return new ErrorValue(`cannot get field ${goQuote(name)}`);
  return fieldThroughNative(operand.fields.get(name) ?? null);
}

/** Kubernetes cannot convert an object to a Go map if it contains maps with keys other than strings. */
function isReadable({ fields }: StructValue): boolean {
  for (const value of fields.values()) if (value instanceof KeyedMap) return false;
  return true;
}

function findElement(list: ListValue, key: Value): Value | undefined {
  const index = listIndex(key);
  return index instanceof ErrorValue ? index : list[index];
}

/** cel-go `types.IndexOrError`. A number outside int64 is out of range for every list. */
function listIndex(key: Value): number | ErrorValue {
  if (typeof key === 'bigint') return Number(key);
  if (typeof key === 'number') return isExactInt(key) ? key : unsupportedIndex(key);
  if (key instanceof Uint) return key.value <= MAX_INT ? Number(key.value) : unsupportedIndex(key);
  return new ErrorValue(`unsupported index type '${typeOf(key)}' in list`);
}

function isExactInt(value: number): boolean {
  return Number.isInteger(value) && value > -0x8000_0000_0000_0000 && value < 0x8000_0000_0000_0000;
}

function unsupportedIndex(key: Value): ErrorValue {
  return new ErrorValue(`unsupported index value ${goText(key)} in list`);
}

function missing(operand: Value, key: Value): ErrorValue {
  return new ErrorValue(`${Array.isArray(operand) ? 'index out of bounds' : 'no such key'}: ${goText(key)}`);
}

/** True if the value can be a key or an index (cel-go `newQualifier`). */
export function isQualifier(key: Value): boolean {
  switch (typeof key) {
    case 'string':
    case 'bigint':
    case 'number':
    case 'boolean':
      return true;
  }
  return key instanceof Uint;
}

/** `native`: cel-go holds the value as a plain Go value. */
export function invalidQualifier(key: Value, native: boolean): ErrorValue {
  return new ErrorValue(`invalid qualifier type: ${native ? nativeGoType(key) : goTypeOf(key)}`);
}

function nativeGoType(key: Value): string {
  if (key === null) return '<nil>';
  if (Array.isArray(key)) return '[]interface {}';
  return key instanceof Map ? 'map[string]interface {}' : goTypeOf(key);
}

/** Containers keep their kind; their contents are converted recursively. */
function fieldThroughNative(value: Value): Value {
  if (Array.isArray(value)) return value.map(throughNative);
  if (value instanceof Map) return new Map([...value].map(([key, field]) => [key, throughNative(field)]));
  return throughNative(value);
}

/**
 * Converts a value as cel-go does when it turns it into a Go value and back (`Value()`, `NativeToValue`), which happens
 * to the content of optionals in attributes and to fields of objects. Optionals lose their nesting, types become their
 * names, and host containers and values become their underlying values.
 */
export function throughNative(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Optional) return value.value === undefined ? null : throughNative(value.value);
  if (value instanceof TypeValue) return value.type.name;
  if (value instanceof ErrorValue) {
    return new ErrorValue(`unsupported conversion to ref.Val: (*errors.errorString)${value.message}`);
  }
  if (value instanceof StructValue) {
    return new Map([...value.fields].map(([name, field]) => [name, fieldThroughNative(field)]));
  }
  if (value instanceof HostList || value instanceof HostMap) return value.native;
  if (!(value instanceof OpaqueValue)) return value;
  if (value.unadaptable === undefined) return value.native;
  return new ErrorValue(`unsupported conversion to ref.Val: ${value.unadaptable}`);
}
