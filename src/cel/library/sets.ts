// cel-go's `ext.Sets`: lists compared as sets.
import type { Library, Overload } from '../library.ts';
import { costSizeOf } from '../value/cost-size.ts';
import type { ListValue, Value } from '../value/value.ts';
import type { OverloadCost } from './overload-cost.ts';
import { ValueSet } from './value-set.ts';

function contains(list: ListValue, part: ListValue): boolean {
  const members = new ValueSet(list);
  return part.every((value) => members.has(value));
}

function equivalent(left: ListValue, right: ListValue): boolean {
  return contains(left, right) && contains(right, left);
}

function intersects(left: ListValue, right: ListValue): boolean {
  const members = new ValueSet(right);
  return left.some((value) => members.has(value));
}

function declare(name: string, id: string, evaluate: (left: ListValue, right: ListValue) => boolean) {
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
