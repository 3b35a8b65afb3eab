// Containers from the host with their own rules for comparison and addition.
import type { Meter } from '../../go/meter.ts';
import type { ErrorValue, Value } from './value.ts';

/** A list with special `==`, `in` and `+` if it is the left operand (for `in`, the right operand). */
export abstract class HostList extends Array<Value> {
  /** JavaScript's own methods create plain lists from this list. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
  abstract equals(other: Value, meter?: Meter): boolean | ErrorValue;
  abstract contains(element: Value, meter?: Meter): boolean | ErrorValue;
  abstract plus(other: Value): Value;
  /** The list after cel-go converts it to a Go value and back. */
  abstract get native(): Value;
}

/** A map with special `==` if it is the left operand. Its keys may include nulls, which have no entries. */
export abstract class HostMap extends Map<string | null, Value> {
  abstract equals(other: Value, meter?: Meter): boolean | ErrorValue;
  /** The map after cel-go converts it to a Go value and back. */
  abstract get native(): Value;
}
