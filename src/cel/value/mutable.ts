// Containers that a comprehension builds in place (cel-go `mutableList`, `mutableMap`).
import { isMap } from './equality.ts';
import { goText } from './go-text.ts';
import { KeyedMap } from './keyed-map.ts';
import { ErrorValue, type ListValue, type MapValue, type Value } from './value.ts';

/**
 * The initial empty list of an accumulator. `+` appends to it in place, even if an expression can observe that: in
 * `optional.of([]).optMap(v, [v + [1], v + [2]])` both elements are the same list.
 */
export class MutableList extends Array<Value> {
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  append(more: ListValue): this {
    // The list may be added to itself, so read the length first.
    const { length } = more;
    for (let index = 0; index < length; index++) this.push(more[index] as Value);
    return this;
  }
}

/** The initial empty map of an accumulator. */
class MutableMap extends KeyedMap {}

/** Makes an empty container mutable for accumulation; returns other values unchanged. */
export function toMutable(value: Value): Value {
  if (Array.isArray(value)) return value.length === 0 ? new MutableList() : value;
  return isMap(value) && value.size === 0 ? new MutableMap() : value;
}

/** Makes a finished accumulator immutable. */
export function toImmutable(value: Value): Value {
  if (value instanceof MutableList) return value.slice();
  return value instanceof MutableMap ? value.toMapValue() : value;
}

/** cel-go `types.InsertMapKeyValue`: changes a map under construction, and copies any other map. */
export function insertEntry(map: MapValue, key: Value, value: Value): MutableMap | ErrorValue {
  const target = map instanceof MutableMap ? map : copyOf(map);
  if (target.has(key)) return new ErrorValue(`insert failed: key ${goText(key)} already exists`);
  target.set(key, value);
  return target;
}

function copyOf(map: MapValue): MutableMap {
  const copy = new MutableMap();
  for (const [key, value] of map.entries()) copy.set(key, value);
  return copy;
}
