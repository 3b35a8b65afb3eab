// The run-time cost of calls of one overload, as cel-go's libraries register it (`interpreter.OverloadCostTracker`).
import type { Value } from '../value/value.ts';

/**
 * Arguments hold the receiver first; they and the result may be ErrorValues. Throws `Panic` where cel-go's tracker panics.
 * Asked only where the checker left a single overload.
 */
export type OverloadCost = (args: readonly Value[], result: Value) => number;
