// The result of joining two lists by `+`, which cel-go exposes as Go values instead of CEL values (`concatList`).
import type { ListValue, Value } from './value.ts';

/** Behaves like a plain list in expressions. */
export class JoinedList extends Array<Value> {
  /** JavaScript's own methods create plain lists from this list. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  static join(left: ListValue, right: ListValue): JoinedList {
    const joined = new JoinedList(left.length + right.length);
    for (let index = 0; index < left.length; index++) joined[index] = left[index] as Value;
    for (let index = 0; index < right.length; index++) joined[left.length + index] = right[index] as Value;
    return joined;
  }
}
