// CEL's `==`: heterogeneous equality; numbers compare across types (cel-go `types.Equal`).
import { COMPARED, type Meter } from '../../go/meter.ts';
import { HostList, HostMap } from './host-container.ts';
import { compareDoubleInt, compareDoubleUint } from './ordering.ts';
import { Bytes, Duration, Timestamp, Uint } from './scalar.ts';
import {
  ErrorValue,
  type KeyedMapValue,
  type ListValue,
  type MapValue,
  OpaqueValue,
  Optional,
  type StringMap,
  StructValue,
  TypeValue,
  type Value,
} from './value.ts';

/** Equality for `in` and `!=`, which treat an error as inequality. */
export function equals(left: Value, right: Value, meter?: Meter): boolean {
  return equalsOrError(left, right, meter) === true;
}

/**
 * Equality for `==`. Values of some libraries cannot be compared with other types, and members of host containers may be errors. Inside
 * lists and maps, such an error counts as equality, as in cel-go. `meter`, if given, is charged for every compared element.
 */
export function equalsOrError(left: Value, right: Value, meter?: Meter): boolean | ErrorValue {
  switch (typeof left) {
    case 'string':
    case 'boolean':
      return left === right;
    case 'bigint':
      return left === right || intEquals(left, right);
    case 'number':
      return doubleEquals(left, right);
  }
  if (left === null || right === null) return left === right;
  if (left instanceof ErrorValue) return left;
  if (Array.isArray(left)) {
    if (left instanceof HostList) return left.equals(right, meter);
    return Array.isArray(right) && listEquals(left, right, meter);
  }
  if (left instanceof Map) {
    if (left instanceof HostMap) return left.equals(right, meter);
    return isMap(right) && stringMapEquals(left, right, meter);
  }
  if (left instanceof OpaqueValue) return left.equals(right);
  return objectEquals(left as Exclude<typeof left, ListValue>, right, meter);
}

function objectEquals(left: Value, right: Value, meter: Meter | undefined): boolean | ErrorValue {
  if (left instanceof Uint) return uintEquals(left, right);
  if (left instanceof Optional) {
    if (!(right instanceof Optional)) return false;
    if (left.value === undefined || right.value === undefined) return left.value === right.value;
    return equalsOrError(left.value, right.value, meter);
  }
  if (left instanceof TypeValue) return right instanceof TypeValue && left.type.name === right.type.name;
  if (left instanceof Timestamp) {
    return right instanceof Timestamp && left.seconds === right.seconds && left.nanos === right.nanos;
  }
  if (left instanceof Duration) return right instanceof Duration && left.nanoseconds === right.nanoseconds;
  if (left instanceof Bytes) return right instanceof Bytes && bytesEqual(left.data, right.data);
  if (left instanceof StructValue) {
    if (!(right instanceof StructValue) || left.type.name !== right.type.name) return false;
    return isIdentical(left.fields, right.fields);
  }
  return isKeyedMap(left) && isMap(right) && keyedMapEquals(left, right, meter);
}

/**
 * Fields of structs are compared as Go values (`reflect.DeepEqual`): numbers of different types differ, and lists are
 * never equal because they contain functions.
 */
function isIdentical(left: Value, right: Value): boolean {
  if (Array.isArray(left) || Array.isArray(right)) return false;
  if (!(left instanceof Map && right instanceof Map)) {
    return typeof left === typeof right && equals(left, right);
  }
  if (left.size !== right.size) return false;
  for (const [key, value] of left) {
    const other = right.get(key);
    if (other === undefined || !isIdentical(value, other)) return false;
  }
  return true;
}

export function isMap(value: Value): value is MapValue {
  return value instanceof Map || isKeyedMap(value);
}

function isKeyedMap(value: Value): value is KeyedMapValue {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'keyed-map';
}

function intEquals(left: bigint, right: Value): boolean {
  if (typeof right === 'number') return !Number.isNaN(right) && compareDoubleInt(right, left) === 0;
  return right instanceof Uint && right.value === left;
}

function uintEquals(left: Uint, right: Value): boolean {
  if (right instanceof Uint) return left.value === right.value;
  if (typeof right === 'number') return !Number.isNaN(right) && compareDoubleUint(right, left.value) === 0;
  return left.value === right;
}

function doubleEquals(left: number, right: Value): boolean {
  if (typeof right === 'number') return left === right;
  if (Number.isNaN(left)) return false;
  if (typeof right === 'bigint') return compareDoubleInt(left, right) === 0;
  return right instanceof Uint && compareDoubleUint(left, right.value) === 0;
}

function bytesEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}

function listEquals(left: ListValue, right: ListValue, meter: Meter | undefined): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) {
    meter?.spend(COMPARED);
    if (equalsOrError(left[index] as Value, right[index] as Value, meter) === false) return false;
  }
  return true;
}

function stringMapEquals(left: StringMap, right: MapValue | StringMap, meter: Meter | undefined): boolean {
  if (left.size !== right.size) return false;
  for (const [key, value] of left) {
    meter?.spend(COMPARED);
    const other = right.get(key);
    if (other === undefined || equalsOrError(value, other, meter) === false) return false;
  }
  return true;
}

function keyedMapEquals(left: KeyedMapValue, right: MapValue, meter: Meter | undefined): boolean {
  if (left.size !== right.size) return false;
  for (const [key, value] of left.entries()) {
    meter?.spend(COMPARED);
    const other = findKey(right, key);
    if (other === undefined || equalsOrError(value, other, meter) === false) return false;
  }
  return true;
}

/** Looks up a key of any type in a map of any kind. */
export function findKey(map: MapValue, key: Value): Value | undefined {
  if (!(map instanceof Map)) return (map as KeyedMapValue).get(key);
  return typeof key === 'string' ? map.get(key) : undefined;
}
