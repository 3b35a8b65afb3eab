// Types for planning and running: programs, activations, evaluations.
import type { Meter } from '../../go/meter.ts';
import type { CallCost } from '../declaration/library.ts';
import type { TraceEvent } from '../value/trace.ts';
import type { Value } from '../value/value.ts';

/** Values of the variables of one evaluation (cel-go `interpreter.Activation`). */
export interface Activation {
  /** Undefined for an unbound name: `no such attribute(s): name`. */
  resolve(name: string): Value | undefined;
  /** True if values can contain `UnknownValue`s. Results that depend on one are unknown (cel-go partial evaluation). */
  readonly isPartial?: boolean;
  /** Limits the work of all programs that run with this activation together. Without it, each run has its own limit. */
  readonly meter?: Meter;
}

export interface PlanOptions {
  /** Evaluation stops with `operation cancelled: actual cost limit exceeded` when its cost exceeds this. */
  readonly costLimit?: number;
  readonly callCost?: CallCost;
  /**
   * Names of the functions that `callCost` may know. It is not called for others, which keeps them fast. Absent: it is
   * called for all. For `_==_` and `_!=_` it is called only if the first argument is an OpaqueValue.
   */
  readonly callCostFunctions?: ReadonlySet<string>;
  /** Members of containers can be ErrorValues, e.g. if the host types them by a schema. `has()` then checks for errors. */
  readonly fallibleMembers?: boolean;
  /** Members of containers can be `UnknownValue`s. */
  readonly partial?: boolean;
}

export interface EvaluateOptions {
  /** Records the evaluated events; costs nothing if disabled. */
  readonly trace?: boolean;
}

export interface ProgramResult {
  /** An ErrorValue if the evaluation failed. */
  readonly value: Value;
  /** cel-go `EvalDetails.ActualCost`, without the cost of lazily evaluated variables. */
  readonly cost: number;
  /** The event of the whole expression, if a trace was requested. */
  readonly trace?: TraceEvent;
}

/** An executable expression. May be run repeatedly, and reentrantly while one of its own variables is being computed. */
export interface Program {
  evaluate(activation: Activation, options?: EvaluateOptions): ProgramResult;
}

/** Why an expression that type-checks cannot run: cel-go's text after `program instantiation failed: `. */
export class ProgramError {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}
