// What an estimate of costs has to be told: how large variables are, and what functions cost (cel-go `checker.CostEstimator`).
import type { Type } from '../check/type.ts';
import type { Expr } from '../syntax/ast.ts';
import { ANYTHING, type Range } from './range.ts';

/**
 * Way to a value from a variable: field names, `@items` and `@indices` of lists, `@keys` and `@values` of maps. Empty for a value
 * that no variable holds.
 */
export type ValuePath = readonly string[];

/** Something that a function is called with. */
export interface EstimatedValue {
  readonly path: ValuePath;
  readonly type: Type;
  /** Undefined for an element of a list that the function looks at. */
  readonly expr: Expr | undefined;
  /** What the expression tells of the size; undefined if it tells nothing. */
  readonly size: Range | undefined;
}

export interface EstimatedCall {
  readonly overloadId: string;
  /** Undefined for functions without a receiver. */
  readonly target: EstimatedValue | undefined;
  readonly args: readonly EstimatedValue[];
}

export interface CallEstimate {
  /** Without what the arguments cost. */
  readonly cost: Range;
  /** Of a text, a list or a map. */
  readonly resultSize?: Range;
}

/** Undefined for calls it does not know. */
export type CallEstimator = (call: EstimatedCall, model: CostModel) => CallEstimate | undefined;

export interface CostModel {
  /** Undefined for a path it does not know; never asked for what the expression itself tells. */
  sizeAt(path: ValuePath): Range | undefined;
  /** By overload id; what is not here costs one. */
  readonly overloads: ReadonlyMap<string, CallEstimator>;
  /** By function name; they go before `overloads`. */
  readonly functions: ReadonlyMap<string, CallEstimator>;
}

export function estimatedSize(value: EstimatedValue, model: CostModel): Range {
  return value.size ?? model.sizeAt(value.path) ?? ANYTHING;
}
