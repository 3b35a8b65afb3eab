// cel-go's `ext.Lists`, version 3.
import { COPIED, Meter } from '../../go/meter.ts';
import { sortOrder } from '../../go/slices/sort.ts';
import type { FunctionDeclaration, Library, Overload } from '../declaration/library.ts';
import type { Price } from '../declaration/price.ts';
import { SORT_BY_MACRO } from '../syntax/sort-by-macro.ts';
import { compare } from '../value/ordering.ts';
import { typeOf } from '../value/type-of.ts';
import { ErrorValue, type ListValue, type Value } from '../value/value.ts';
import {
  DISTINCT,
  FLATTENING,
  FLATTENING_BY_DEPTH,
  RANGE,
  REVERSE,
  SLICE,
  sorting,
  sortingByKeys,
} from './list-prices.ts';
import { noSuchCall, noSuchOperand, noSuchOverload } from './no-such-overload.ts';
import { ValueSet } from './value-set.ts';

/** Element types that `sort` and `sortBy` support. */
const SORTABLE_TYPES: readonly string[] = [
  'int',
  'uint',
  'double',
  'bool',
  'google.protobuf.Duration',
  'google.protobuf.Timestamp',
  'string',
  'bytes',
];

function slice(list: ListValue, start: bigint, end: bigint): ListValue | ErrorValue {
  const call = `cannot slice(${start}, ${end})`;
  if (start < 0n || end < 0n) return new ErrorValue(`${call}, negative indexes not supported`);
  if (start > end) return new ErrorValue(`${call}, start index must be less than or equal to end index`);
  if (end > list.length) return new ErrorValue(`${call}, list is length ${list.length}`);
  return list.slice(Number(start), Number(end));
}

function flattenOnce(list: Value): ListValue | ErrorValue {
  if (!Array.isArray(list)) return noSuchCall(`${typeOf(list)}.flatten()`);
  return flatten(list, 1n);
}

function flattenTo(list: Value, depth: Value): ListValue | ErrorValue {
  if (!Array.isArray(list) || typeof depth !== 'bigint') {
    return noSuchCall(`${typeOf(list)}.flatten(${typeOf(depth)})`);
  }
  return depth < 0n ? new ErrorValue('level must be non-negative') : flatten(list, depth);
}

function flatten(list: ListValue, depth: bigint): ListValue {
  const flat: Value[] = [];
  const meter = new Meter();
  // Lists that are partly read, innermost last. The same list may occur several times.
  const open: Iterator<Value>[] = [list.values()];
  for (let innermost = open.at(-1); innermost !== undefined; innermost = open.at(-1)) {
    const next = innermost.next();
    if (next.done) {
      open.pop();
      continue;
    }
    meter.spend(COPIED);
    if (Array.isArray(next.value) && open.length <= depth) open.push(next.value.values());
    else flat.push(next.value);
  }
  return flat;
}

function distinct(list: ListValue): ListValue {
  const seen = new ValueSet();
  return list.filter((value) => {
    if (seen.has(value)) return false;
    seen.add(value);
    return true;
  });
}

/** In Go, a huge count exhausts the memory before its cost is checked. */
function range(count: bigint): ListValue | ErrorValue {
  if (count > MAX_RANGE) return new ErrorValue('lists.range: the list would be too long');
  return Array.from({ length: Number(count) }, (_, index) => BigInt(index));
}

const MAX_RANGE = 2_000_000n;

/** From cel-go 0.29. */
function limitedRange(count: bigint): ListValue | ErrorValue {
  if (count < 0n) return new ErrorValue(`lists.range: size must be non-negative, got ${count}`);
  if (count <= MAX_LIMITED_RANGE) return range(count);
  return new ErrorValue(`lists.range: size ${count} exceeds maximum allowed (${MAX_LIMITED_RANGE})`);
}

const MAX_LIMITED_RANGE = 1_000_000n;

function sort(list: Value): Value {
  return Array.isArray(list) ? sortByAssociatedKeys(list, list) : noSuchOperand(list, 'sort');
}

function sortByAssociatedKeys(list: Value, keys: Value): Value {
  if (!Array.isArray(list)) return noSuchOperand(list, '@sortByAssociatedKeys');
  if (!Array.isArray(keys)) return noSuchOverload();
  if (list.length !== keys.length) {
    const lengths = `${list.length} and ${keys.length} elements respectively`;
    return new ErrorValue(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${lengths}`,
    );
  }
  const [first] = keys;
  if (first === undefined) return list;
  if (compare(first, first) === undefined) return new ErrorValue('list elements must be comparable');
  const type = typeOf(first);
  const mixed = keys.length > 1 && keys.some((key) => typeOf(key) !== type);
  if (mixed) return new ErrorValue('list elements must have the same type');
  const order = sortOrder(list.length, (a, b) => compare(keys[a] as Value, keys[b] as Value) === -1);
  return order.map((index) => list[index] as Value);
}

function declare(
  name: string,
  id: string,
  signature: string,
  price: Price,
  evaluate: Overload['evaluate'],
): FunctionDeclaration {
  return { name, overloads: [{ id, signature, evaluate, price }] };
}

const FLATTEN: FunctionDeclaration = {
  name: 'flatten',
  overloads: [
    {
      id: 'list_flatten',
      signature: 'list(list(<T>)).flatten() -> list(<T>)',
      evaluate: flattenOnce,
      price: FLATTENING,
      dispatch: 'unguarded',
    },
    {
      id: 'list_flatten_int',
      signature: 'list(dyn).flatten(int) -> list(dyn)',
      evaluate: flattenTo,
      price: FLATTENING,
      dispatch: 'unguarded',
    },
  ],
};

const SORT: FunctionDeclaration = {
  name: 'sort',
  overloads: SORTABLE_TYPES.map((type) => ({
    id: `list_${type}_sort`,
    signature: `list(${type}).sort() -> list(${type})`,
    evaluate: sort,
    price: sorting(type),
    dispatch: 'singleton',
  })),
};

const SORT_BY_ASSOCIATED_KEYS: FunctionDeclaration = {
  name: '@sortByAssociatedKeys',
  overloads: SORTABLE_TYPES.map((type) => ({
    id: `list_${type}_sortByAssociatedKeys`,
    signature: `list(<T>).@sortByAssociatedKeys(list(${type})) -> list(<T>)`,
    evaluate: sortByAssociatedKeys,
    price: sortingByKeys(type),
    dispatch: 'singleton',
  })),
};

const RANGE_ROW = ['lists.range', 'lists_range', 'lists.range(int) -> list(int)', RANGE] as const;

/** `ext.ListsVersion(3)`: Kubernetes from 1.34. */
export const LISTS_3: Library = {
  name: 'cel.lib.ext.lists',
  functions: [
    declare('slice', 'list_slice', 'list(<T>).slice(int, int) -> list(<T>)', SLICE, slice),
    FLATTEN,
    SORT,
    SORT_BY_ASSOCIATED_KEYS,
    declare(...RANGE_ROW, range),
    declare('reverse', 'list_reverse', 'list(<T>).reverse() -> list(<T>)', REVERSE, (list: ListValue) =>
      [...list].reverse(),
    ),
    declare('distinct', 'list_distinct', 'list(<T>).distinct() -> list(<T>)', DISTINCT, distinct),
  ],
  macros: [SORT_BY_MACRO],
};

/** `ext.ListsVersion(3)` from cel-go 0.29. */
export const LISTS_3_LIMITED: Library = {
  ...LISTS_3,
  functions: LISTS_3.functions.map((known) => {
    if (known.name === 'lists.range') return declare(...RANGE_ROW, limitedRange);
    if (known.name !== 'flatten') return known;
    return { ...known, overloads: known.overloads.map((row) => ({ ...row, price: FLATTENING_BY_DEPTH })) };
  }),
};
