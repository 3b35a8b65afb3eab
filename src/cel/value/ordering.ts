// CEL's `<`: the order of values of one type, and of numbers across types (cel-go `traits.Comparer`).
import { compareStrings } from '../../go/strings/string-order.ts';
import { Bytes, Duration, Timestamp, Uint } from './scalar.ts';
import { compareTimestamps } from './timestamp.ts';
import { ErrorValue, type Value } from './value.ts';

export type Order = -1 | 0 | 1;

/** Undefined if the left value has no order; an error if the right value is not comparable with it. */
export function compare(left: Value, right: Value): Order | ErrorValue | undefined {
  switch (typeof left) {
    case 'bigint':
      return compareInt(left, right);
    case 'number':
      return compareDouble(left, right);
    case 'string':
      return typeof right === 'string' ? compareStrings(left, right) : mismatch();
    case 'boolean':
      return typeof right === 'boolean' ? order(left, right) : mismatch();
  }
  if (left instanceof Uint) return compareUint(left.value, right);
  if (left instanceof Timestamp) return right instanceof Timestamp ? compareTimestamps(left, right) : mismatch();
  if (left instanceof Duration) {
    return right instanceof Duration ? order(left.nanoseconds, right.nanoseconds) : mismatch();
  }
  if (left instanceof Bytes) return right instanceof Bytes ? compareBytes(left.data, right.data) : mismatch();
  return undefined;
}

const mismatch = (): ErrorValue => new ErrorValue('no such overload', 'no-such-overload');

function order<T extends bigint | number | boolean>(left: T, right: T): Order {
  if (left < right) return -1;
  return left > right ? 1 : 0;
}

function compareInt(left: bigint, right: Value): Order | ErrorValue {
  if (typeof right === 'bigint') return order(left, right);
  if (typeof right === 'number') return Number.isNaN(right) ? unordered() : reverse(compareDoubleInt(right, left));
  return right instanceof Uint ? order(left, right.value) : mismatch();
}

function compareUint(left: bigint, right: Value): Order | ErrorValue {
  if (right instanceof Uint) return order(left, right.value);
  if (typeof right === 'number') return Number.isNaN(right) ? unordered() : reverse(compareDoubleUint(right, left));
  return typeof right === 'bigint' ? order(left, right) : mismatch();
}

function compareDouble(left: number, right: Value): Order | ErrorValue {
  if (Number.isNaN(left)) return unordered();
  if (typeof right === 'number') return Number.isNaN(right) ? unordered() : order(left, right);
  if (typeof right === 'bigint') return compareDoubleInt(left, right);
  return right instanceof Uint ? compareDoubleUint(left, right.value) : mismatch();
}

const unordered = (): ErrorValue => new ErrorValue('NaN values cannot be ordered');

function reverse(value: Order): Order {
  return value === 0 ? 0 : (-value as Order);
}

/** Within int64, the integer is rounded to a double first, as in cel-go. `double` must not be NaN. */
export function compareDoubleInt(double: number, int: bigint): Order {
  if (double < -0x8000_0000_0000_0000) return -1;
  if (double > 0x8000_0000_0000_0000) return 1;
  return order(double, Number(int));
}

/** `double` must not be NaN. */
export function compareDoubleUint(double: number, uint: bigint): Order {
  if (double < 0) return -1;
  if (double > 0x1_0000_0000_0000_0000) return 1;
  return order(double, Number(uint));
}

function compareBytes(left: Uint8Array, right: Uint8Array): Order {
  const shorter = Math.min(left.length, right.length);
  for (let index = 0; index < shorter; index++) {
    const difference = (left[index] as number) - (right[index] as number);
    if (difference !== 0) return difference < 0 ? -1 : 1;
  }
  return order(left.length, right.length);
}
