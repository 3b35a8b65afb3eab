// What a call costs at run time (cel-go `interpreter/runtimecost.go: costCall`).
import type { CallCost } from '../library.ts';
import { costSizeOf } from '../value/cost-size.ts';
import { OpaqueValue, type Value } from '../value/value.ts';
import type { Frame } from './frame.ts';
import type { PlanOptions } from './program.ts';

const STRING_TRAVERSAL_FACTOR = 0.1;
const REGEX_LENGTH_FACTOR = 0.25;

export const LIST_COST = 10;
export const MAP_COST = 30;
export const STRUCT_COST = 40;

/** Adds the cost of a call to the frame; `undefined` stands for one unit, always. */
export type Charge = ((frame: Frame, args: readonly Value[], result: Value) => void) | undefined;

/** `overloadId` is empty where the checker left several. */
export function chargeOf(functionName: string, overloadId: string, options: PlanOptions): Charge {
  const standard = STANDARD_COSTS.get(overloadId);
  const hook = hookFor(functionName, options);
  if (hook === undefined) {
    return standard && ((frame, args) => frame.charge(standard(args[0] as Value, args[1] as Value)));
  }
  return (frame, args, result) => {
    const cost = hook(functionName, overloadId, args, result);
    frame.charge(cost ?? standard?.(args[0] as Value, args[1] as Value) ?? 1);
  };
}

/** The hook, if it may know the function. */
export function hookFor(functionName: string, { callCost, callCostFunctions }: PlanOptions): CallCost | undefined {
  return callCostFunctions === undefined || callCostFunctions.has(functionName) ? callCost : undefined;
}

type StandardCost = (first: Value, second: Value) => number;

export function traversal(size: number): number {
  return Math.ceil(size * STRING_TRAVERSAL_FACTOR);
}

/** Comparison goes as far as the shorter of the two. */
export function comparisonCost(left: Value, right: Value): number {
  return traversal(Math.min(costSizeOf(left), costSizeOf(right)));
}

/** Of `_==_` and `_!=_`. */
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

const traverseFirst: StandardCost = (first) => traversal(costSizeOf(first));
const addition: StandardCost = (first, second) => traversal(costSizeOf(first) + costSizeOf(second));
const match: StandardCost = (first, second) =>
  traversal(1 + costSizeOf(first)) * Math.ceil(costSizeOf(second) * REGEX_LENGTH_FACTOR);
const search: StandardCost = (first, second) => traverseFirst(first, second) * traversal(costSizeOf(second));

/** By overload id; everything else costs one. */
const STANDARD_COSTS: ReadonlyMap<string, StandardCost> = new Map([
  ...['starts_with_string', 'ends_with_string', 'string_to_bytes', 'bytes_to_string'].map(traversing),
  ...['strings_quote', 'string_format'].map(traversing),
  ['in_list', (_, list) => costSizeOf(list)],
  ...['less_string', 'greater_string', 'less_equals_string', 'greater_equals_string'].map(comparing),
  ...['less_bytes', 'greater_bytes', 'less_equals_bytes', 'greater_equals_bytes'].map(comparing),
  ['add_string', addition],
  ['add_bytes', addition],
  ['matches_string', match],
  ['contains_string', search],
]);

function traversing(id: string): [string, StandardCost] {
  return [id, traverseFirst];
}

function comparing(id: string): [string, StandardCost] {
  return [id, comparisonCost];
}
