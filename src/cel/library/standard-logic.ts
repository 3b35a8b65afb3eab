// Logic, equality, containment, indexing and size. The planner evaluates `&&`, `||`, `?:`, `==`, `!=` and indexing itself.
import type { FunctionDeclaration, Overload } from '../declaration/library.ts';
import { type Price, UNIT } from '../declaration/price.ts';
import { sizeOf } from '../value/cost-size.ts';
import { equals, equalsOrError, findKey, isMap } from '../value/equality.ts';
import { HostList } from '../value/host-container.ts';
import { typeValueOf } from '../value/type-of.ts';
import type { Value } from '../value/value.ts';
import { noSuchOperand, noSuchOverload } from './no-such-overload.ts';
import { COMPARISON, MEMBERSHIP } from './standard-prices.ts';

export const logic: readonly FunctionDeclaration[] = [
  declare('_?_:_', noSuchOverload, [['conditional', '_?_:_(bool, <A>, <A>) -> <A>']]),
  declare('_&&_', noSuchOverload, [['logical_and', '_&&_(bool, bool) -> bool']]),
  declare('_||_', noSuchOverload, [['logical_or', '_||_(bool, bool) -> bool']]),
  declare('!_', not, [['logical_not', '!_(bool) -> bool']]),
  {
    name: '@not_strictly_false',
    overloads: [
      {
        id: 'not_strictly_false',
        signature: '@not_strictly_false(bool) -> bool',
        evaluate: (value: Value) => value !== false,
        price: UNIT,
        nonStrict: true,
      },
    ],
  },
  declare('_==_', (left, right) => equalsOrError(left, right), [['equals', '_==_(<A>, <A>) -> bool', COMPARISON]]),
  declare('_!=_', (left, right) => !equals(left, right), [['not_equals', '_!=_(<A>, <A>) -> bool', COMPARISON]]),
];

export const containers: readonly FunctionDeclaration[] = [
  declare('_[_]', noSuchOverload, [
    ['index_list', '_[_](list(<A>), int) -> <A>'],
    ['index_map', '_[_](map(<A>, <B>), <A>) -> <B>'],
  ]),
  declare('@in', contains, [
    ['in_list', '@in(<A>, list(<A>)) -> bool', MEMBERSHIP],
    ['in_map', '@in(<A>, map(<A>, <B>)) -> bool'],
  ]),
  declare('size', size, [
    ['size_bytes', 'size(bytes) -> int'],
    ['bytes_size', 'bytes.size() -> int'],
    ['size_list', 'size(list(<A>)) -> int'],
    ['list_size', 'list(<A>).size() -> int'],
    ['size_map', 'size(map(<A>, <B>)) -> int'],
    ['map_size', 'map(<A>, <B>).size() -> int'],
    ['size_string', 'size(string) -> int'],
    ['string_size', 'string.size() -> int'],
  ]),
  declare('type', typeValueOf, [['type', 'type(<A>) -> type(<A>)']]),
];

/** A call costs one unit unless its row specifies another price. */
function declare(
  name: string,
  evaluate: Overload['evaluate'],
  rows: readonly (readonly [id: string, signature: string, price?: Price])[],
): FunctionDeclaration {
  const overloads = rows.map(([id, signature, price = UNIT]): Overload => {
    return { id, signature, evaluate, price, dispatch: 'singleton' };
  });
  return { name, overloads };
}

function not(value: Value): Value {
  return typeof value === 'boolean' ? !value : noSuchOverload();
}

function contains(element: Value, container: Value): Value {
  if (container instanceof HostList) return container.contains(element);
  if (Array.isArray(container)) return container.some((other) => equals(other, element));
  return isMap(container) ? findKey(container, element) !== undefined : noSuchOverload();
}

function size(value: Value): Value {
  const length = sizeOf(value);
  return length === undefined ? noSuchOperand(value, 'size') : BigInt(length);
}
