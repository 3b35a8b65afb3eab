// Cost of the functions of `ext.Lists`, estimated and at run time (cel-go `ext/lists.go`, from version 3 on).
import {
  type CallEstimate,
  type CallEstimator,
  type CostModel,
  type EstimatedValue,
  estimatedSize,
} from '../estimate/cost-model.ts';
import { exactly, MAX_UINT64, NOTHING, product, type Range, scaled, sum, wrapped } from '../estimate/range.ts';
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

type ListEstimate = (list: Range, args: readonly EstimatedValue[], model: CostModel) => CallEstimate;

/** Of making a list whose size and cost grow alike. */
function making(resultSize: Range, factor: number): CallEstimate {
  return { cost: sum(scaled(resultSize, factor), exactly(BASE_COST)), resultSize };
}

function comparingEach(list: Range, factor: number): CallEstimate {
  return making(product(list, list), factor);
}

/** Of a literal; negative ones count as zero. */
function literalOf(value: EstimatedValue | undefined, otherwise: bigint): bigint {
  const literal = value?.expr?.kind === 'literal' ? value.expr.value : undefined;
  if (typeof literal !== 'bigint') return otherwise;
  return literal < 0n ? 0n : literal;
}

function ofReceiver(estimate: ListEstimate): CallEstimator {
  return ({ target, args }, model) => target && estimate(estimatedSize(target, model), args, model);
}

const flatteningEstimate = ofReceiver((list, [depth]) =>
  making(list, depth === undefined ? 1 : Number(literalOf(depth, MAX_UINT64))),
);

function comparisonFactor(type: string): number {
  return type === 'string' || type === 'bytes' ? 2.1 : 2;
}

/** Before evaluation, by overload id. */
export const LISTS_ESTIMATES: ReadonlyMap<string, CallEstimator> = new Map<string, CallEstimator>([
  [
    'list_slice',
    ofReceiver((list, [start, end]) => making(exactly(wrapped(literalOf(end, list.max) - literalOf(start, 0n))), 1)),
  ],
  ['list_flatten', flatteningEstimate],
  ['list_flatten_int', flatteningEstimate],
  ['lists_range', ({ args: [count] }) => making(exactly(literalOf(count, MAX_UINT64)), 1)],
  ['list_reverse', ofReceiver((list) => making(list, 1))],
  ['list_distinct', ofReceiver((list) => comparingEach(list, 2))],
  ...SORTABLE_TYPES.flatMap((type): [string, CallEstimator][] => [
    [`list_${type}_sort`, ofReceiver((list) => comparingEach(list, comparisonFactor(type)))],
    [
      `list_${type}_sortByAssociatedKeys`,
      ofReceiver((_, [keys], model) =>
        comparingEach(keys === undefined ? NOTHING : estimatedSize(keys, model), comparisonFactor(type)),
      ),
    ],
  ]),
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
