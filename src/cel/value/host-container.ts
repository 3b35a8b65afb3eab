// Containers that a host hands to expressions and that are compared or added by its rules.
import type { Meter } from '../../go/meter.ts';
import type { ErrorValue, Value } from './value.ts';

/** A list like any other except for `==`, `in` and `+` with it on the left (on the right, of `in`). */
export abstract class HostList extends Array<Value> {
  /** What is made from the list by JavaScript's own methods is a plain list. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
  abstract equals(other: Value, meter?: Meter): boolean | ErrorValue;
  abstract contains(element: Value, meter?: Meter): boolean | ErrorValue;
  abstract plus(other: Value): Value;
  /** What is left of the list once cel-go has turned it into a Go value and back. */
  abstract get native(): Value;
}

/** A map like any other except for `==` with it on the left. Among its keys may be nulls, which have no entries. */
export abstract class HostMap extends Map<string | null, Value> {
  abstract equals(other: Value, meter?: Meter): boolean | ErrorValue;
  /** What is left of the map once cel-go has turned it into a Go value and back. */
  abstract get native(): Value;
}
