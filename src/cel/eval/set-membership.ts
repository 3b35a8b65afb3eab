// Evaluates `x in [literals]` as a lookup without cost (cel-go `maybeOptimizeSetMembership`).
import { intFromDouble, MAX_INT, uintFromDouble } from '../value/integer.ts';
import { identityOf } from '../value/keyed-map.ts';
import { Uint } from '../value/scalar.ts';
import { ErrorValue, type ListValue, type Value } from '../value/value.ts';
import type { Run } from './frame.ts';

/** Undefined if an element is not a string, number or bool. */
export function planSetMembership(element: Run, list: ListValue): Run | undefined {
  const members = new LiteralSet();
  for (const member of list) if (!members.add(member)) return undefined;
  return (frame) => {
    const value = element(frame);
    return value instanceof ErrorValue ? value : members.has(value);
  };
}

/** Numbers are added under each type that can hold them. */
class LiteralSet {
  /** JavaScript's types distinguish strings, bools, ints and doubles. */
  readonly #plain = new Set<string | boolean | bigint | number>();
  readonly #uints = new Set<bigint>();

  /** False if values of this kind cannot be members. */
  add(value: Value): boolean {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        this.#plain.add(value);
        return true;
      case 'bigint':
        this.#plain.add(value).add(Number(value));
        if (value >= 0n) this.#uints.add(value);
        return true;
      case 'number':
        this.#addDouble(value);
        return true;
    }
    if (!(value instanceof Uint)) return false;
    this.#uints.add(value.value);
    this.#plain.add(Number(value.value));
    if (value.value <= MAX_INT) this.#plain.add(value.value);
    return true;
  }

  #addDouble(value: number): void {
    if (Number.isNaN(value)) return;
    this.#plain.add(value);
    if (!Number.isInteger(value)) return;
    const int = intFromDouble(value);
    if (!(int instanceof ErrorValue)) this.#plain.add(int);
    const uint = uintFromDouble(value);
    if (!(uint instanceof ErrorValue)) this.#uints.add(uint.value);
  }

  has(value: Value): boolean {
    switch (typeof value) {
      case 'string':
      case 'boolean':
      case 'bigint':
      case 'number':
        return this.#plain.has(value);
    }
    identityOf(value);
    return value instanceof Uint && this.#uints.has(value.value);
  }
}
