// cel-go's `ext.Sets`: lists compared as sets.
import { type CallEstimator, estimatedSize } from '../estimate/cost-model.ts';
import { ONE, product, scaled, sum } from '../estimate/range.ts';
import type { Library, Overload } from '../library.ts';
import { costSizeOf } from '../value/cost-size.ts';
import { HostList } from '../value/host-container.ts';
import { ErrorValue, type ListValue, type Value } from '../value/value.ts';
import type { OverloadCost } from './overload-cost.ts';
import { ValueSet } from './value-set.ts';

function contains(list: ListValue, part: ListValue): boolean | ErrorValue {
  const isMember = membershipOf(list);
  for (const value of part) {
    const found = isMember(value);
    if (found !== true) return found;
  }
  return true;
}

function equivalent(left: ListValue, right: ListValue): boolean | ErrorValue {
  const found = contains(left, right);
  return found === true ? contains(right, left) : found;
}

function intersects(left: ListValue, right: ListValue): boolean {
  const isMember = membershipOf(right);
  return left.some((value) => isMember(value) === true);
}

/** A host's list decides for itself what it contains. */
function membershipOf(list: ListValue): (value: Value) => boolean | ErrorValue {
  if (list instanceof HostList) return (value) => (value instanceof ErrorValue ? value : list.contains(value));
  const members = new ValueSet(list);
  return (value) => members.has(value);
}

type SetFunction = (left: ListValue, right: ListValue) => boolean | ErrorValue;

function declare(name: string, id: string, evaluate: SetFunction) {
  const overload: Overload = { id, signature: `${name}(list(<T>), list(<T>)) -> bool`, evaluate };
  return { name, overloads: [overload] };
}

export const SETS: Library = {
  name: 'cel.lib.ext.sets',
  functions: [
    declare('sets.contains', 'list_sets_contains_list', contains),
    declare('sets.equivalent', 'list_sets_equivalent_list', equivalent),
    declare('sets.intersects', 'list_sets_intersects_list', intersects),
  ],
};

/** Run-time cost by overload id (cel-go `ext/sets.go: trackSetsCost`). */
export const SETS_COSTS: ReadonlyMap<string, OverloadCost> = new Map([
  ['list_sets_contains_list', comparing(1)],
  ['list_sets_intersects_list', comparing(1)],
  ['list_sets_equivalent_list', comparing(2)],
]);

/** Every element of one list with every element of the other. */
function comparing(factor: number): OverloadCost {
  return ([left, right]) => 1 + costSizeOf(left as Value) * costSizeOf(right as Value) * factor;
}

/** Before evaluation, by overload id (cel-go `estimateSetsCost`). */
export const SETS_ESTIMATES: ReadonlyMap<string, CallEstimator> = new Map([
  ['list_sets_contains_list', estimatedComparisons(1)],
  ['list_sets_intersects_list', estimatedComparisons(1)],
  ['list_sets_equivalent_list', estimatedComparisons(2)],
]);

function estimatedComparisons(factor: number): CallEstimator {
  return ({ args: [left, right] }, model) =>
    left &&
    right && { cost: sum(scaled(product(estimatedSize(left, model), estimatedSize(right, model)), factor), ONE) };
}
