// Run-time cost of the functions of `ext.Lists` (cel-go `ext/lists.go`, from version 3 on).
import { costSizeOf } from '../value/cost-size.ts';
import { Panic } from '../value/panic.ts';
import { Bytes } from '../value/scalar.ts';
import { goTypeOf } from '../value/type-of.ts';
import type { ListValue, Value } from '../value/value.ts';
import { SORTABLE_TYPES } from './lists.ts';
import type { OverloadCost } from './overload-cost.ts';

/** Of the call, and of making the list that it answers. */
const BASE_COST = 1 + 10;

const copying: OverloadCost = (_, result) => BASE_COST + costSizeOf(result);

/** Known from the argument, also where the list is too long to be made. */
const counting: OverloadCost = ([count], result) =>
  BASE_COST + (typeof count === 'bigint' ? Math.max(0, Number(count)) : costSizeOf(result));

/**
 * A negative depth, which is an error, takes cost back. In cel-go's unsigned arithmetic a total below zero is past every limit;
 * that matters here only for depths that no cost before can make up for.
 */
const flattening: OverloadCost = ([list, depth = 1n]) => {
  if (typeof depth !== 'bigint') {
    throw new Panic(`interface conversion: ref.Val is ${goTypeOf(depth)}, not types.Int`);
  }
  const cost = BASE_COST + costSizeOf(list as Value) * Number(depth);
  return cost < -1_000_000 ? Number.POSITIVE_INFINITY : cost;
};

/** Every element with every other; that takes longer for strings and bytes. */
function comparing(list: Value): number {
  const elements = asList(list);
  const [first] = elements;
  const factor = typeof first === 'string' || first instanceof Bytes ? 2.1 : 2;
  return BASE_COST + Math.floor(elements.length ** 2 * factor);
}

const comparingReceiver: OverloadCost = ([list]) => comparing(list as Value);
const comparingKeys: OverloadCost = ([, keys]) => comparing(keys as Value);

/** By overload id. */
export const LISTS_COSTS: ReadonlyMap<string, OverloadCost> = new Map([
  ['list_slice', copying],
  ['list_flatten', flattening],
  ['list_flatten_int', flattening],
  ['lists_range', counting],
  ['list_reverse', copying],
  ['list_distinct', comparingReceiver],
  ...SORTABLE_TYPES.map((type): [string, OverloadCost] => [`list_${type}_sort`, comparingReceiver]),
  ...SORTABLE_TYPES.map((type): [string, OverloadCost] => [`list_${type}_sortByAssociatedKeys`, comparingKeys]),
]);

/** Go names the first method of lists that the value lacks; those below can be added. */
const ADDABLE: readonly string[] = [
  'types.Bytes',
  'types.Double',
  'types.Duration',
  'types.Int',
  'types.String',
  'types.Timestamp',
  'types.Uint',
];

function asList(value: Value): ListValue {
  if (Array.isArray(value)) return value;
  const type = goTypeOf(value);
  const method = ADDABLE.includes(type) ? 'Contains' : 'Add';
  throw new Panic(`interface conversion: ${type} is not traits.Lister: missing method ${method}`);
}
