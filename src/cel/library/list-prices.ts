// Costs of the functions of `ext.Lists` (cel-go `ext/lists.go`, from version 3).

import type { Price, RunCost } from '../declaration/price.ts';
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

/** Cost of the call and of creating its result list. */
const BASE_COST = 1 + 10;

const copying: RunCost = (_sizes, _first, _second, result) => BASE_COST + costSizeOf(result);

/** Cost of comparing every element with every other one; higher for strings and bytes. */
function comparing(list: Value): number {
  const elements = asList(list);
  const [first] = elements;
  const factor = typeof first === 'string' || first instanceof Bytes ? 2.1 : 2;
  return BASE_COST + Math.floor(elements.length ** 2 * factor);
}

type ListEstimate = (list: Range, args: readonly EstimatedValue[], model: CostModel) => CallEstimate;

/** Cost of creating a list whose size and cost grow equally. */
function making(resultSize: Range, factor: number): CallEstimate {
  return { cost: sum(scaled(resultSize, factor), exactly(BASE_COST)), resultSize };
}

function comparingEach(list: Range, factor: number): CallEstimate {
  return making(product(list, list), factor);
}

/** The value of a literal; negative values count as zero. */
function literalOf(value: EstimatedValue | undefined, otherwise: bigint): bigint {
  const literal = value?.expr?.kind === 'literal' ? value.expr.value : undefined;
  if (typeof literal !== 'bigint') return otherwise;
  return literal < 0n ? 0n : literal;
}

function ofReceiver(estimate: ListEstimate): CallEstimator {
  return ({ target, args }, model) => target && estimate(estimatedSize(target, model), args, model);
}

export const SLICE: Price = {
  run: copying,
  estimate: ofReceiver((list, [start, end]) =>
    making(exactly(wrapped(literalOf(end, list.max) - literalOf(start, 0n))), 1),
  ),
};

export const REVERSE: Price = { run: copying, estimate: ofReceiver((list) => making(list, 1)) };

/** Computed from the argument, because the list may be too long to create. */
export const RANGE: Price = {
  run: (_sizes, count, _second, result) =>
    BASE_COST + (typeof count === 'bigint' ? Math.max(0, Number(count)) : costSizeOf(result)),
  estimate: ({ args: [count] }) => making(exactly(literalOf(count, MAX_UINT64)), 1),
};

/** A negative depth, which is an error, reduces the cost. */
export const FLATTENING: Price = {
  run: (_sizes, list, depth) => flatteningCost(list, depth),
  estimate: ofReceiver((list, [depth]) => making(list, depth === undefined ? 1 : Number(literalOf(depth, MAX_UINT64)))),
};

/** From cel-go 0.29, a negative depth counts as 1. */
export const FLATTENING_BY_DEPTH: Price = {
  ...FLATTENING,
  run: (_sizes, list, depth) => flatteningCost(list, typeof depth === 'bigint' && depth < 0n ? 1n : depth),
};

export const DISTINCT: Price = {
  run: (_sizes, list) => comparing(list),
  estimate: ofReceiver((list) => comparingEach(list, 2)),
};

function comparisonFactor(type: string): number {
  return type === 'string' || type === 'bytes' ? 2.1 : 2;
}

export function sorting(type: string): Price {
  return {
    run: (_sizes, list) => comparing(list),
    estimate: ofReceiver((list) => comparingEach(list, comparisonFactor(type))),
  };
}

export function sortingByKeys(type: string): Price {
  return {
    run: (_sizes, _list, keys) => comparing(keys),
    estimate: ofReceiver((_, [keys], model) =>
      comparingEach(keys === undefined ? NOTHING : estimatedSize(keys, model), comparisonFactor(type)),
    ),
  };
}

/** Go reports the first missing method of lists. The types below have `Add`, so their first missing method is `Contains`. */
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

function flatteningCost(list: Value, depth: Value = 1n): number {
  if (typeof depth !== 'bigint') {
    throw new Panic(`interface conversion: ref.Val is ${goTypeOf(depth)}, not types.Int`);
  }
  // Go converts a double above uint64 to 2^63.
  const steps = costSizeOf(list) * Number(depth);
  return BASE_COST + (steps >= 2 ** 64 ? 2 ** 63 : steps);
}
