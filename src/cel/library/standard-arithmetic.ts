// `+ - * / %` and unary minus.
import type { FunctionDeclaration, Overload } from '../declaration/library.ts';
import { type Price, UNIT } from '../declaration/price.ts';
import { checkedDuration } from '../value/duration.ts';
import { HostList } from '../value/host-container.ts';
import { checkedInt, checkedUint, divideInt, divideUint, moduloInt, moduloUint } from '../value/integer.ts';
import { JoinedList } from '../value/joined-list.ts';
import { Bytes, Duration, Timestamp, Uint } from '../value/scalar.ts';
import { addDuration, durationBetween } from '../value/timestamp.ts';
import { ErrorValue, type Value } from '../value/value.ts';
import { noSuchOperand, noSuchOverload } from './no-such-overload.ts';
import { CONCATENATION, JOINING } from './standard-prices.ts';

export const arithmetic: readonly FunctionDeclaration[] = [
  operator('_+_', add, [
    ['add_bytes', '(bytes, bytes) -> bytes', CONCATENATION],
    ['add_double', '(double, double) -> double'],
    ['add_duration_duration', '(google.protobuf.Duration, google.protobuf.Duration) -> google.protobuf.Duration'],
    ['add_duration_timestamp', '(google.protobuf.Duration, google.protobuf.Timestamp) -> google.protobuf.Timestamp'],
    ['add_timestamp_duration', '(google.protobuf.Timestamp, google.protobuf.Duration) -> google.protobuf.Timestamp'],
    ['add_int64', '(int, int) -> int'],
    ['add_list', '(list(<A>), list(<A>)) -> list(<A>)', JOINING],
    ['add_string', '(string, string) -> string', CONCATENATION],
    ['add_uint64', '(uint, uint) -> uint'],
  ]),
  operator('_/_', divide, [
    ['divide_double', '(double, double) -> double'],
    ['divide_int64', '(int, int) -> int'],
    ['divide_uint64', '(uint, uint) -> uint'],
  ]),
  operator('_%_', modulo, [
    ['modulo_int64', '(int, int) -> int'],
    ['modulo_uint64', '(uint, uint) -> uint'],
  ]),
  operator('_*_', multiply, [
    ['multiply_double', '(double, double) -> double'],
    ['multiply_int64', '(int, int) -> int'],
    ['multiply_uint64', '(uint, uint) -> uint'],
  ]),
  operator('-_', negate, [
    ['negate_double', '(double) -> double'],
    ['negate_int64', '(int) -> int'],
  ]),
  operator('_-_', subtract, [
    ['subtract_double', '(double, double) -> double'],
    ['subtract_duration_duration', '(google.protobuf.Duration, google.protobuf.Duration) -> google.protobuf.Duration'],
    ['subtract_int64', '(int, int) -> int'],
    [
      'subtract_timestamp_duration',
      '(google.protobuf.Timestamp, google.protobuf.Duration) -> google.protobuf.Timestamp',
    ],
    [
      'subtract_timestamp_timestamp',
      '(google.protobuf.Timestamp, google.protobuf.Timestamp) -> google.protobuf.Duration',
    ],
    ['subtract_uint64', '(uint, uint) -> uint'],
  ]),
];

/** An arithmetic operation costs one unit unless its row specifies another price. */
function operator(
  name: string,
  evaluate: Overload['evaluate'],
  rows: readonly (readonly [id: string, shape: string, price?: Price])[],
): FunctionDeclaration {
  const dispatch = 'singleton';
  const overloads = rows.map(([id, shape, price = UNIT]): Overload => {
    return { id, signature: `${name}${shape}`, evaluate, price, dispatch };
  });
  return { name, overloads };
}

export function add(left: Value, right: Value): Value {
  switch (typeof left) {
    case 'bigint':
      return typeof right === 'bigint' ? checkedInt(left + right) : noSuchOverload();
    case 'string':
      return typeof right === 'string' ? left + right : noSuchOverload();
    case 'number':
      return typeof right === 'number' ? left + right : noSuchOverload();
  }
  if (Array.isArray(left)) return addLists(left, right);
  if (left instanceof Uint) return right instanceof Uint ? checkedUint(left.value + right.value) : noSuchOverload();
  if (left instanceof Duration) {
    if (right instanceof Duration) return checkedDuration(left.nanoseconds + right.nanoseconds);
    return right instanceof Timestamp ? addDuration(right, left.nanoseconds) : noSuchOverload();
  }
  if (left instanceof Timestamp) {
    return right instanceof Duration ? addDuration(left, right.nanoseconds) : noSuchOverload();
  }
  if (left instanceof Bytes) return right instanceof Bytes ? addBytes(left, right) : noSuchOverload();
  return noSuchOperand(left, '_+_');
}

function addLists(left: readonly Value[], right: Value): Value {
  if (left instanceof HostList) return left.plus(right);
  if (!Array.isArray(right)) return noSuchOverload();
  if (left.length === 0) return right;
  return right.length === 0 ? left : JoinedList.join(left, right);
}

function addBytes(left: Bytes, right: Bytes): Bytes {
  const data = new Uint8Array(left.data.length + right.data.length);
  data.set(left.data);
  data.set(right.data, left.data.length);
  return new Bytes(data);
}

function subtract(left: Value, right: Value): Value {
  if (typeof left === 'bigint') return typeof right === 'bigint' ? checkedInt(left - right) : noSuchOverload();
  if (typeof left === 'number') return typeof right === 'number' ? left - right : noSuchOverload();
  if (left instanceof Uint) return right instanceof Uint ? checkedUint(left.value - right.value) : noSuchOverload();
  if (left instanceof Duration) {
    return right instanceof Duration ? checkedDuration(left.nanoseconds - right.nanoseconds) : noSuchOverload();
  }
  if (left instanceof Timestamp) {
    if (right instanceof Timestamp) return durationBetween(left, right);
    return right instanceof Duration ? subtractDuration(left, right) : noSuchOverload();
  }
  return noSuchOperand(left, '_-_');
}

/** cel-go negates the duration first, which overflows for the smallest duration. */
function subtractDuration(timestamp: Timestamp, duration: Duration): Value {
  const negated = checkedInt(-duration.nanoseconds);
  return negated instanceof ErrorValue ? negated : addDuration(timestamp, negated);
}

function multiply(left: Value, right: Value): Value {
  if (typeof left === 'bigint') return typeof right === 'bigint' ? checkedInt(left * right) : noSuchOverload();
  if (typeof left === 'number') return typeof right === 'number' ? left * right : noSuchOverload();
  if (left instanceof Uint) return right instanceof Uint ? checkedUint(left.value * right.value) : noSuchOverload();
  return noSuchOperand(left, '_*_');
}

function divide(left: Value, right: Value): Value {
  if (typeof left === 'bigint') return typeof right === 'bigint' ? divideInt(left, right) : noSuchOverload();
  if (typeof left === 'number') return typeof right === 'number' ? left / right : noSuchOverload();
  if (left instanceof Uint) return right instanceof Uint ? divideUint(left.value, right.value) : noSuchOverload();
  return noSuchOperand(left, '_/_');
}

function modulo(left: Value, right: Value): Value {
  if (typeof left === 'bigint') return typeof right === 'bigint' ? moduloInt(left, right) : noSuchOverload();
  if (left instanceof Uint) return right instanceof Uint ? moduloUint(left.value, right.value) : noSuchOverload();
  return noSuchOperand(left, '_%_');
}

function negate(operand: Value): Value {
  if (typeof operand === 'bigint') return checkedInt(-operand);
  if (typeof operand === 'number') return -operand;
  if (typeof operand === 'boolean') return noSuchOverload();
  if (operand instanceof Duration) return checkedDuration(-operand.nanoseconds);
  return noSuchOperand(operand, '-_');
}
