// cel-go's `ext.Sets`: compares lists as sets.

import type { Library, Overload } from '../declaration/library.ts';
import type { Price } from '../declaration/price.ts';
import { estimatedSize } from '../estimate/cost-model.ts';
import { ONE, product, scaled, sum } from '../estimate/range.ts';
import { costSizeOf } from '../value/cost-size.ts';
import { HostList } from '../value/host-container.ts';
import { ErrorValue, type ListValue, type Value } from '../value/value.ts';
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

/** A host's list implements `contains` itself. */
function membershipOf(list: ListValue): (value: Value) => boolean | ErrorValue {
  if (list instanceof HostList) return (value) => (value instanceof ErrorValue ? value : list.contains(value));
  const members = new ValueSet(list);
  return (value) => members.has(value);
}

type SetFunction = (left: ListValue, right: ListValue) => boolean | ErrorValue;

function declare(name: string, id: string, price: Price, evaluate: SetFunction) {
  const overload: Overload = { id, signature: `${name}(list(<T>), list(<T>)) -> bool`, evaluate, price };
  return { name, overloads: [overload] };
}

export const SETS: Library = {
  name: 'cel.lib.ext.sets',
  functions: [
    declare('sets.contains', 'list_sets_contains_list', comparing(1), contains),
    declare('sets.equivalent', 'list_sets_equivalent_list', comparing(2), equivalent),
    declare('sets.intersects', 'list_sets_intersects_list', comparing(1), intersects),
  ],
};

/** Cost of comparing every element of both lists, times a factor (cel-go `ext/sets.go: trackSetsCost`). */
function comparing(factor: number): Price {
  return {
    run: (_sizes, left, right) => 1 + costSizeOf(left) * costSizeOf(right) * factor,
    estimate: ({ args: [left, right] }, model) =>
      left &&
      right && { cost: sum(scaled(product(estimatedSize(left, model), estimatedSize(right, model)), factor), ONE) },
  };
}
