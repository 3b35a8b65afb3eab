// What planning gives and what running takes: programs, activations, evaluations.
import type { Meter } from '../../go/meter.ts';
import type { CallCost } from '../declaration/library.ts';
import type { TraceEvent } from '../value/trace.ts';
import type { Value } from '../value/value.ts';

/** Values of the variables of one evaluation (cel-go `interpreter.Activation`). */
export interface Activation {
  /** Undefined if nothing is bound to the name: `no such attribute(s): name`. */
  resolve(name: string): Value | undefined;
  /** Bounds the work of all programs run with this activation together; without it each run has a bound of its own. */
  readonly meter?: Meter;
}

export interface PlanOptions {
  /** Evaluation stops with `operation cancelled: actual cost limit exceeded` when its cost goes past this. */
  readonly costLimit?: number;
  readonly callCost?: CallCost;
  /**
   * Names of the functions that `callCost` may know; it is not asked about others, which keeps those fast. Absent: it is always
   * asked. About `_==_` and `_!=_` it is asked only if the first argument is an OpaqueValue.
   */
  readonly callCostFunctions?: ReadonlySet<string>;
  /** Members of containers can be ErrorValues, as in those that a host types by a schema: then `has()` looks at them. */
  readonly fallibleMembers?: boolean;
}

export interface EvaluateOptions {
  /** Record what was evaluated; costs nothing when off. */
  readonly trace?: boolean;
}

export interface ProgramResult {
  /** An ErrorValue if the expression failed. */
  readonly value: Value;
  /** cel-go `EvalDetails.ActualCost`; without the cost of lazily evaluated variables. */
  readonly cost: number;
  /** The event of the whole expression; set if it was asked for. */
  readonly trace?: TraceEvent;
}

/** An expression ready to run; may be run any number of times, also while one of its own variables is being computed. */
export interface Program {
  evaluate(activation: Activation, options?: EvaluateOptions): ProgramResult;
}

/** Why an expression that type-checks cannot be run; cel-go's text after `program instantiation failed: `. */
export class ProgramError {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}
