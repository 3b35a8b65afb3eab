// The state of one run: variables, cost and observed events.
import { Meter, WorkExceeded } from '../../go/meter.ts';
import { codePointLength } from '../../go/strings/string-order.ts';
import { Panic } from '../value/panic.ts';
import type { TraceEvent } from '../value/trace.ts';
import { ErrorValue, type Value } from '../value/value.ts';
import type { Activation } from './program.ts';

/** One planned step. Errors are return values; exceptions only stop the whole evaluation. */
export type Run = (frame: Frame) => Value;

/** Thrown when the cost limit is exceeded. */
class CostExceeded {}

export const COST_EXCEEDED = 'operation cancelled: actual cost limit exceeded';
/** Preadmit's own error: the result is unknown. */
export const WORK_EXCEEDED =
  'evaluation stopped: it takes more work than is allowed here (the API server has no such limit)';

const NOTHING_BOUND: Activation = { resolve: () => undefined };

/**
 * cel-go checks the limit after every step. Steps with a cost of at most one (`cost += 1`) need no check: if the limit
 * is found exceeded before a larger charge, it was exceeded by exactly one.
 */
export class Frame {
  /** Variables of comprehensions, by slot number of the planner. */
  readonly slots: (Value | undefined)[] = [];
  activation: Activation = NOTHING_BOUND;
  cost = 0;
  readonly limit: number;
  /** Events of the current node, in an observed run. */
  events: TraceEvent[] = [];
  /** Number of events so far. */
  recorded = 0;
  #meter: Meter | undefined;
  #measured = '';
  #measuredSize = 0;

  constructor(slots: number, limit: number) {
    for (let index = 0; index < slots; index++) this.slots.push(undefined);
    this.limit = limit;
  }

  begin(activation: Activation): void {
    this.activation = activation;
    this.cost = 0;
  }

  /** Releases references to values; comprehensions clear their own slots. */
  end(): void {
    this.activation = NOTHING_BOUND;
    this.#meter = undefined;
  }

  get meter(): Meter {
    this.#meter ??= this.activation.meter ?? new Meter();
    return this.#meter;
  }

  /** Length in code points. Caches the last text, because calls often repeat it. */
  textSize(text: string): number {
    if (text !== this.#measured) {
      this.#measured = text;
      this.#measuredSize = codePointLength(text);
    }
    return this.#measuredSize;
  }

  /** Charges any number of units. cel-go's cost is unsigned. */
  charge(units: number): void {
    this.checkLimit();
    this.cost += units;
    if (this.cost < 0) this.cost += 2 ** 64;
    if (this.cost > this.limit) throw new CostExceeded();
  }

  /** Refunds one unit. cel-go's cost is unsigned: a result below zero exceeds every limit. */
  refund(): void {
    this.checkLimit();
    this.cost -= 1;
    if (this.cost < 0) {
      this.cost = this.limit + 1;
      throw new CostExceeded();
    }
  }

  /** Call in loops, and before any work outside this frame. */
  checkLimit(): void {
    if (this.cost > this.limit) {
      this.cost = this.limit + 1;
      throw new CostExceeded();
    }
  }

  /** Result of a run that an exception stopped. */
  stopped(reason: unknown): ErrorValue {
    if (reason instanceof CostExceeded) return new ErrorValue(COST_EXCEEDED, 'cost-exceeded');
    if (reason instanceof Panic) return new ErrorValue(`internal error: ${reason.message}`);
    // Recursion is too deep, or a string or list is too long.
    if (reason instanceof WorkExceeded || reason instanceof RangeError)
      return new ErrorValue(WORK_EXCEEDED, 'work-exceeded');
    throw reason;
  }
}
