// Run-time cost and cost estimate of a call in cel-go's units; part of each function's declaration.
import type { CallEstimator } from '../estimate/cost-model.ts';
import type { Value } from '../value/value.ts';

/** Counts code points and caches the last result. */
export interface TextSizes {
  textSize(text: string): number;
}

/**
 * The receiver is an argument; `second` is undefined if there is none. Arguments and result may be ErrorValues, because
 * cel-go also charges for failed calls. Throws `Panic` if cel-go's tracker panics.
 */
export type RunCost = (sizes: TextSizes, first: Value, second: Value, result: Value) => number;

/**
 * Price of one overload in cel-go (`interpreter/runtimecost.go`, `checker/cost.go`, `ext`). Used only if the checker
 * left a single overload. An undefined member costs one unit.
 */
export interface Price {
  readonly run: RunCost | undefined;
  readonly estimate: CallEstimator | undefined;
}

export const UNIT: Price = { run: undefined, estimate: undefined };

/**
 * Price of all functions with the name in any library, as Kubernetes defines it (`interpreter.ActualCostEstimator`). Takes precedence over
 * cel-go's prices; undefined falls back to them. The overload is empty if the checker left several.
 */
export interface NamePrice {
  run(args: readonly Value[], result: Value, overloadId: string): number | undefined;
  readonly estimate: CallEstimator;
}
