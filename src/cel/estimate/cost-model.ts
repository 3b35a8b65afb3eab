// Input of a cost estimate: sizes of variables and costs of functions (cel-go `checker.CostEstimator`).
import type { Type } from '../check/type.ts';
import type { Expr } from '../syntax/ast.ts';
import { ANYTHING, type Range } from './range.ts';

/**
 * Path from a variable to a value: field names, `@items` and `@indices` of lists, `@keys` and `@values` of maps. Empty
 * for a value that is not part of a variable.
 */
export type ValuePath = readonly string[];

/** A receiver or argument of a function. */
export interface EstimatedValue {
  readonly path: ValuePath;
  readonly type: Type;
  /** Undefined for an element of a list that the function reads. */
  readonly expr: Expr | undefined;
  /** Size that the expression itself determines; undefined if it does not. */
  readonly size: Range | undefined;
}

export interface EstimatedCall {
  readonly overloadId: string;
  /** Undefined for functions without a receiver. */
  readonly target: EstimatedValue | undefined;
  readonly args: readonly EstimatedValue[];
}

export interface CallEstimate {
  /** Without the cost of the arguments. */
  readonly cost: Range;
  /** Size of a string, list or map result. */
  readonly resultSize?: Range;
}

/** Undefined for a call that the estimator does not know. */
export type CallEstimator = (call: EstimatedCall, model: CostModel) => CallEstimate | undefined;

export interface CostModel {
  /** Undefined for an unknown path. Not called if the expression itself determines the size. */
  sizeAt(path: ValuePath): Range | undefined;
  /** By overload id; a missing overload costs one. */
  readonly overloads: ReadonlyMap<string, CallEstimator>;
  /** By function name; take precedence over `overloads`. */
  readonly functions: ReadonlyMap<string, CallEstimator>;
}

export function estimatedSize(value: EstimatedValue, model: CostModel): Range {
  return value.size ?? model.sizeAt(value.path) ?? ANYTHING;
}
