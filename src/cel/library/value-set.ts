// A set of values by CEL's `==`, which can hold between numbers of different types.
import { Meter } from '../../go/meter.ts';
import { equals } from '../value/equality.ts';
import { Uint } from '../value/scalar.ts';
import type { Value } from '../value/value.ts';

/** Strings and numbers are looked up directly; other values are compared one by one. */
export class ValueSet {
  readonly #strings = new Set<string>();
  /** By nearest double, because equal numbers share it. */
  readonly #numbers = new Map<number, Value[]>();
  readonly #others: Value[] = [];
  readonly #meter = new Meter();

  constructor(values: Iterable<Value> = []) {
    for (const value of values) this.add(value);
  }

  add(value: Value): void {
    if (typeof value === 'string') {
      this.#strings.add(value);
      return;
    }
    const double = toNumber(value);
    if (double === undefined) {
      this.#others.push(value);
      return;
    }
    const near = this.#numbers.get(double);
    if (near === undefined) this.#numbers.set(double, [value]);
    else if (!near.includes(value)) near.push(value);
  }

  has(value: Value): boolean {
    if (typeof value === 'string') return this.#strings.has(value);
    const double = toNumber(value);
    const candidates = double === undefined ? this.#others : (this.#numbers.get(double) ?? []);
    return candidates.some((candidate) => {
      this.#meter.spend(1);
      return equals(value, candidate, this.#meter);
    });
  }
}

function toNumber(value: Value): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  return value instanceof Uint ? Number(value.value) : undefined;
}
