// Two lists joined by `+`, which cel-go hands out as Go values rather than as CEL values (`concatList`).
import type { ListValue, Value } from './value.ts';

/** A list like any other to expressions. */
export class JoinedList extends Array<Value> {
  /** What is made from the list by JavaScript's own methods is a plain list. */
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
