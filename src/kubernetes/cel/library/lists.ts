// `isSorted`, `sum`, `min`, `max`, `indexOf`, `lastIndexOf`, `includes` on lists (apiserver `pkg/cel/library/lists.go`).

import type { Library } from '../../../cel/declaration/library.ts';
import { noSuchOverload } from '../../../cel/library/no-such-overload.ts';
import { add } from '../../../cel/library/standard-arithmetic.ts';
import { equals } from '../../../cel/value/equality.ts';
import { compare } from '../../../cel/value/ordering.ts';
import { Duration, Uint } from '../../../cel/value/scalar.ts';
import { ErrorValue, type ListValue, type Value } from '../../../cel/value/value.ts';
import { declarationsOf, type FunctionRow } from './declaration.ts';
import { ELEMENTS } from './prices.ts';

/** Names used in overload ids, with their types. */
const COMPARABLE_TYPES: readonly (readonly [name: string, type: string])[] = [
  ['int', 'int'],
  ['uint', 'uint'],
  ['double', 'double'],
  ['bool', 'bool'],
  ['duration', 'google.protobuf.Duration'],
  ['timestamp', 'google.protobuf.Timestamp'],
  ['string', 'string'],
  ['bytes', 'bytes'],
];

const ZEROS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['int', 0n],
  ['uint', new Uint(0n)],
  ['double', 0],
  ['duration', new Duration(0n)],
]);

const ROWS: readonly FunctionRow[] = [
  ...COMPARABLE_TYPES.map(
    ([name, type]): FunctionRow => [
      'isSorted',
      `list_${name}_is_sorted_bool`,
      `list(${type}).isSorted() -> bool`,
      ELEMENTS,
      isSorted,
    ],
  ),
  ...COMPARABLE_TYPES.filter(([name]) => ZEROS.has(name)).map(([name, type]): FunctionRow => {
    const zero = ZEROS.get(name) as Value;
    return [
      'sum',
      `list_${name}_sum_${name}`,
      `list(${type}).sum() -> ${type}`,
      ELEMENTS,
      (list: ListValue) => sum(list, zero),
    ];
  }),
  ...COMPARABLE_TYPES.map(([name, type]): FunctionRow => {
    return [
      'max',
      `list_${name}_max_${name}`,
      `list(${type}).max() -> ${type}`,
      ELEMENTS,
      (list: ListValue) => extreme(list, 'max'),
    ];
  }),
  ...COMPARABLE_TYPES.map(([name, type]): FunctionRow => {
    return [
      'min',
      `list_${name}_min_${name}`,
      `list(${type}).min() -> ${type}`,
      ELEMENTS,
      (list: ListValue) => extreme(list, 'min'),
    ];
  }),
  ['indexOf', 'list_a_index_of_int', 'list(<A>).indexOf(<A>) -> int', ELEMENTS, indexOf],
  ['lastIndexOf', 'list_a_last_index_of_int', 'list(<A>).lastIndexOf(<A>) -> int', ELEMENTS, lastIndexOf],
];

export const LISTS_LIBRARY: Library = { name: 'kubernetes.lists', functions: declarationsOf(ROWS) };

/** Kubernetes 1.37 and later. */
export const LISTS_LIBRARY_WITH_INCLUDES: Library = {
  name: 'kubernetes.lists',
  functions: declarationsOf([
    ...ROWS,
    ['includes', 'list_includes_dyn_dyn', 'dyn.includes(dyn) -> bool', ELEMENTS, includes],
  ]),
};

function isComparable(value: Value): boolean {
  return compare(value, value) !== undefined;
}

/** In lists of dyn, adjacent elements that cannot be compared are in order. */
function isSorted(list: ListValue): Value {
  let previous: Value | undefined;
  for (const element of list) {
    if (!isComparable(element)) return noSuchOverload(element);
    if (previous !== undefined && compare(previous, element) === 1) return false;
    previous = element;
  }
  return true;
}

function sum(list: ListValue, zero: Value): Value {
  let total = zero;
  for (const element of list) {
    total = element instanceof ErrorValue ? element : add(total, element);
    if (total instanceof ErrorValue) return total;
  }
  return total;
}

/** Returns the first of equal elements and skips elements that cannot be compared with the current best. */
function extreme(list: ListValue, which: 'min' | 'max'): Value {
  const better = which === 'min' ? 1 : -1;
  let best: Value | undefined;
  for (const element of list) {
    if (!isComparable(element)) return noSuchOverload(element);
    if (best === undefined || compare(best, element) === better) best = element;
  }
  return best ?? new ErrorValue(`${which} called on empty list`);
}

function indexOf(list: ListValue, item: Value): Value {
  return BigInt(list.findIndex((element) => equals(element, item)));
}

function lastIndexOf(list: ListValue, item: Value): Value {
  return BigInt(list.findLastIndex((element) => equals(element, item)));
}

/** A value that is not a list includes only itself. */
function includes(target: Value, item: Value): Value {
  if (Array.isArray(target)) return target.some((element) => equals(element, item));
  return equals(target, item);
}
