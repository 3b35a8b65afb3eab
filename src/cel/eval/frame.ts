// The state of one run: where variables are, what it has cost, what was observed.
import { Meter, WorkExceeded } from '../../go/meter.ts';
import { codePointLength } from '../../go/strings/string-order.ts';
import { Panic } from '../value/panic.ts';
import type { TraceEvent } from '../value/trace.ts';
import { ErrorValue, type Value } from '../value/value.ts';
import type { Activation } from './program.ts';

/** One planned step. Errors are returned; only leaving the evaluation for good is thrown. */
export type Run = (frame: Frame) => Value;

/** Thrown when the cost limit is passed. */
class CostExceeded {}

export const COST_EXCEEDED = 'operation cancelled: actual cost limit exceeded';
/** Ours alone: says that the answer is unknown. */
export const WORK_EXCEEDED =
  'evaluation stopped: it takes more work than is allowed here (the API server has no such limit)';

const NOTHING_BOUND: Activation = { resolve: () => undefined };

/**
 * cel-go checks the limit after every step. Steps that cost one at most (`cost += 1`) need no check of their own: where the
 * limit is found passed before a larger charge, it was passed by exactly one.
 */
export class Frame {
  /** Variables of comprehensions, by the number the planner gave them. */
  readonly slots: (Value | undefined)[] = [];
  activation: Activation = NOTHING_BOUND;
  cost = 0;
  readonly limit: number;
  /** Events of the node being run, while a run is observed. */
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

  /** Lets go of the values seen; comprehensions clear their own slots. */
  end(): void {
    this.activation = NOTHING_BOUND;
    this.#meter = undefined;
  }

  get meter(): Meter {
    this.#meter ??= this.activation.meter ?? new Meter();
    return this.#meter;
  }

  /** Code points of a text; it is often the same one that is asked about several times running. */
  textSize(text: string): number {
    if (text !== this.#measured) {
      this.#measured = text;
      this.#measuredSize = codePointLength(text);
    }
    return this.#measuredSize;
  }

  /** Any charge that may be more than one. */
  charge(units: number): void {
    this.checkLimit();
    this.cost += units;
    if (this.cost > this.limit) throw new CostExceeded();
  }

  /** Takes one unit back. cel-go's cost has no sign: one below zero is past every limit. */
  refund(): void {
    this.checkLimit();
    this.cost -= 1;
    if (this.cost < 0) {
      this.cost = this.limit + 1;
      throw new CostExceeded();
    }
  }

  /** To be called before anything that costs outside of this frame, and in loops. */
  checkLimit(): void {
    if (this.cost > this.limit) {
      this.cost = this.limit + 1;
      throw new CostExceeded();
    }
  }

  /** What a run comes to that was left by an exception. */
  stopped(reason: unknown): ErrorValue {
    if (reason instanceof CostExceeded) return new ErrorValue(COST_EXCEEDED, 'cost-exceeded');
    if (reason instanceof Panic) return new ErrorValue(`internal error: ${reason.message}`);
    // Too deep a recursion, too long a string or list.
    if (reason instanceof WorkExceeded || reason instanceof RangeError)
      return new ErrorValue(WORK_EXCEEDED, 'work-exceeded');
    throw reason;
  }
}
