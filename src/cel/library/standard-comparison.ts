// `< <= > >=`.
import type { FunctionDeclaration, Overload } from '../declaration/library.ts';
import { type Price, UNIT } from '../declaration/price.ts';
import { compare, type Order } from '../value/ordering.ts';
import { ErrorValue, type Value } from '../value/value.ts';
import { noSuchOperand } from './no-such-overload.ts';
import { COMPARISON } from './standard-prices.ts';

/** Suffixes of cel-go's overload ids, with the compared types and the price. */
const COMPARABLE: readonly (readonly [suffix: string, left: string, right: string, price: Price])[] = [
  ['bool', 'bool', 'bool', UNIT],
  ['int64', 'int', 'int', UNIT],
  ['int64_double', 'int', 'double', UNIT],
  ['int64_uint64', 'int', 'uint', UNIT],
  ['uint64', 'uint', 'uint', UNIT],
  ['uint64_double', 'uint', 'double', UNIT],
  ['uint64_int64', 'uint', 'int', UNIT],
  ['double', 'double', 'double', UNIT],
  ['double_int64', 'double', 'int', UNIT],
  ['double_uint64', 'double', 'uint', UNIT],
  ['string', 'string', 'string', COMPARISON],
  ['bytes', 'bytes', 'bytes', COMPARISON],
  ['timestamp', 'google.protobuf.Timestamp', 'google.protobuf.Timestamp', UNIT],
  ['duration', 'google.protobuf.Duration', 'google.protobuf.Duration', UNIT],
];

export const comparison: readonly FunctionDeclaration[] = [
  relation('_<_', 'less', (order) => order < 0),
  relation('_<=_', 'less_equals', (order) => order <= 0),
  relation('_>_', 'greater', (order) => order > 0),
  relation('_>=_', 'greater_equals', (order) => order >= 0),
];

function relation(name: string, idPrefix: string, holds: (order: Order) => boolean): FunctionDeclaration {
  const evaluate = (left: Value, right: Value): Value => {
    const order = compare(left, right);
    if (order === undefined) return noSuchOperand(left, name);
    return order instanceof ErrorValue ? order : holds(order);
  };
  const overloads: Overload[] = COMPARABLE.map(([suffix, left, right, price]) => ({
    id: `${idPrefix}_${suffix}`,
    signature: `${name}(${left}, ${right}) -> bool`,
    evaluate,
    price,
    dispatch: 'singleton',
  }));
  return { name, overloads };
}
