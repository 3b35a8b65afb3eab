// Cost of a call at run time (cel-go `interpreter/runtimecost.go: costCall`).

import type { CallCost } from '../declaration/library.ts';
import type { Price, RunCost } from '../declaration/price.ts';
import { comparisonCost } from '../library/standard-prices.ts';
import { OpaqueValue, type Value } from '../value/value.ts';
import type { Frame } from './frame.ts';
import type { PlanOptions } from './program.ts';

export const LIST_COST = 10;
export const MAP_COST = 30;
export const STRUCT_COST = 40;

/** The charge for a call: always one unit, cel-go's price of the overload, or the hook's result. */
export type Charge =
  | { readonly kind: 'unit' }
  | { readonly kind: 'priced'; readonly cost: RunCost }
  | { readonly kind: 'hook'; readonly cost: (frame: Frame, args: readonly Value[], result: Value) => number };

const UNIT_CHARGE: Charge = { kind: 'unit' };

/** `overloadId` is empty if the checker left several overloads. */
export function chargeOf(
  functionName: string,
  overloadId: string,
  price: Price | undefined,
  options: PlanOptions,
): Charge {
  const own = price?.run;
  const hook = hookFor(functionName, options);
  if (hook === undefined) return own === undefined ? UNIT_CHARGE : { kind: 'priced', cost: own };
  const cost = (frame: Frame, args: readonly Value[], result: Value): number =>
    hook(functionName, overloadId, args, result) ?? own?.(frame, args[0] as Value, args[1] as Value, result) ?? 1;
  return { kind: 'hook', cost };
}

/** Adds the cost of a call to the frame. */
export function chargeCall(frame: Frame, charge: Charge, args: readonly Value[], result: Value): void {
  if (charge.kind === 'unit') frame.cost += 1;
  else if (charge.kind === 'hook') frame.charge(charge.cost(frame, args, result));
  else frame.charge(charge.cost(frame, args[0] as Value, args[1] as Value, result));
}

/** The hook, if it applies to the function. */
export function hookFor(functionName: string, { callCost, callCostFunctions }: PlanOptions): CallCost | undefined {
  return callCostFunctions === undefined || callCostFunctions.has(functionName) ? callCost : undefined;
}

export function equalityCost(
  hook: CallCost | undefined,
  functionName: string,
  overloadId: string,
  left: Value,
  right: Value,
  result: Value,
): number {
  const known = left instanceof OpaqueValue ? hook?.(functionName, overloadId, [left, right], result) : undefined;
  return known ?? comparisonCost(left, right);
}
