// What a call costs, while it runs and before, in cel-go's units. Stands in the row of the function.
import type { CallEstimator } from '../estimate/cost-model.ts';
import type { Value } from '../value/value.ts';

/** Counts code points, and remembers what it counted last. */
export interface TextSizes {
  textSize(text: string): number;
}

/**
 * The receiver counts as an argument; the second is undefined if there is none. Arguments and result may be ErrorValues: cel-go
 * charges for failed calls as well. Throws `Panic` where cel-go's tracker panics.
 */
export type RunCost = (sizes: TextSizes, first: Value, second: Value, result: Value) => number;

/**
 * Of one overload, as cel-go has it (`interpreter/runtimecost.go`, `checker/cost.go`, `ext`). Asked only where the checker left a
 * single one. What is undefined is one unit.
 */
export interface Price {
  readonly run: RunCost | undefined;
  readonly estimate: CallEstimator | undefined;
}

export const UNIT: Price = { run: undefined, estimate: undefined };

/**
 * Of all functions with the name, whatever library they are of, which goes before cel-go's prices: so Kubernetes asks
 * (`interpreter.ActualCostEstimator`). Undefined leaves the price to cel-go; the overload is empty where the checker left several.
 */
export interface NamePrice {
  run(args: readonly Value[], result: Value, overloadId: string): number | undefined;
  readonly estimate: CallEstimator;
}
