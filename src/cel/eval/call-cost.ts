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

/** What is charged for a call: one unit, always; so much by its first two arguments; or whatever the hook says. */
export type Charge =
  | { readonly kind: 'unit' }
  | { readonly kind: 'standard'; readonly cost: StandardCost }
  | { readonly kind: 'hook'; readonly cost: (frame: Frame, args: readonly Value[], result: Value) => number };

/** The second argument is undefined if there is none. */
type StandardCost = (frame: Frame, first: Value, second: Value) => number;

const UNIT: Charge = { kind: 'unit' };

/** `overloadId` is empty where the checker left several. */
export function chargeOf(functionName: string, overloadId: string, options: PlanOptions): Charge {
  const standard = STANDARD_COSTS.get(overloadId);
  const hook = hookFor(functionName, options);
  if (hook === undefined) return standard === undefined ? UNIT : { kind: 'standard', cost: standard };
  const cost = (frame: Frame, args: readonly Value[], result: Value): number =>
    hook(functionName, overloadId, args, result) ?? standard?.(frame, args[0] as Value, args[1] as Value) ?? 1;
  return { kind: 'hook', cost };
}

/** Adds the cost of a call to the frame. */
export function chargeCall(frame: Frame, charge: Charge, args: readonly Value[], result: Value): void {
  if (charge.kind === 'unit') frame.cost += 1;
  else if (charge.kind === 'hook') frame.charge(charge.cost(frame, args, result));
  else frame.charge(charge.cost(frame, args[0] as Value, args[1] as Value));
}

/** The hook, if it may know the function. */
export function hookFor(functionName: string, { callCost, callCostFunctions }: PlanOptions): CallCost | undefined {
  return callCostFunctions === undefined || callCostFunctions.has(functionName) ? callCost : undefined;
}

export function traversal(size: number): number {
  return Math.ceil(size * STRING_TRAVERSAL_FACTOR);
}

/** Comparison goes as far as the shorter of the two. */
function comparisonCost(left: Value, right: Value): number {
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

const traverseFirst: StandardCost = (frame, first) => traversal(sizeIn(frame, first));
const compareFirst: StandardCost = (_, first, second) => comparisonCost(first, second);
const addition: StandardCost = (_, first, second) => traversal(costSizeOf(first) + costSizeOf(second));
const match: StandardCost = (frame, first, second) =>
  traversal(1 + sizeIn(frame, first)) * Math.ceil(costSizeOf(second) * REGEX_LENGTH_FACTOR);
const search: StandardCost = (frame, first, second) => traversal(sizeIn(frame, first)) * traversal(costSizeOf(second));

function sizeIn(frame: Frame, value: Value): number {
  return typeof value === 'string' ? frame.textSize(value) : costSizeOf(value);
}

/** By overload id; everything else costs one. */
const STANDARD_COSTS: ReadonlyMap<string, StandardCost> = new Map([
  ...['starts_with_string', 'ends_with_string', 'string_to_bytes', 'bytes_to_string'].map(traversing),
  ...['strings_quote', 'string_format'].map(traversing),
  ['in_list', (_frame, _element, list) => costSizeOf(list)],
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
  return [id, compareFirst];
}
