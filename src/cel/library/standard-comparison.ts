// `< <= > >=`.
import type { FunctionDeclaration, Overload } from '../library.ts';
import { compare, type Order } from '../value/ordering.ts';
import { ErrorValue, type Value } from '../value/value.ts';
import { noSuchOperand } from './no-such-overload.ts';

/** Ids of cel-go's overloads after the name of the relation, and the types they compare. */
const COMPARABLE: readonly (readonly [suffix: string, left: string, right: string])[] = [
  ['bool', 'bool', 'bool'],
  ['int64', 'int', 'int'],
  ['int64_double', 'int', 'double'],
  ['int64_uint64', 'int', 'uint'],
  ['uint64', 'uint', 'uint'],
  ['uint64_double', 'uint', 'double'],
  ['uint64_int64', 'uint', 'int'],
  ['double', 'double', 'double'],
  ['double_int64', 'double', 'int'],
  ['double_uint64', 'double', 'uint'],
  ['string', 'string', 'string'],
  ['bytes', 'bytes', 'bytes'],
  ['timestamp', 'google.protobuf.Timestamp', 'google.protobuf.Timestamp'],
  ['duration', 'google.protobuf.Duration', 'google.protobuf.Duration'],
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
  const overloads: Overload[] = COMPARABLE.map(([suffix, left, right]) => ({
    id: `${idPrefix}_${suffix}`,
    signature: `${name}(${left}, ${right}) -> bool`,
    evaluate,
    dispatch: 'singleton',
  }));
  return { name, overloads };
}
