// One declaration per function, shared by checker, evaluator, cost counting, version checks and documentation.
import type { TypeProvider } from '../check/type-provider.ts';
import type { Macro } from '../syntax/macro.ts';
import type { ErrorValue, Value } from '../value/value.ts';
import type { NamePrice, Price } from './price.ts';

/**
 * One overload. The checker's types and the evaluator's type guards are derived from the signature:
 * `string.find(string) -> string` (receiver style), `size(list(<A>)) -> int` (global style), `_+_(int, int) -> int`
 * (operators by cel-go's names). `<A>` is a type parameter.
 */
export interface Overload {
  /** cel-go's or Kubernetes' overload id, e.g. `string_find_string`. */
  readonly id: string;
  readonly signature: string;
  /**
   * Called with the receiver first, only if the run-time types match the signature and no argument is an error (unless `nonStrict`).
   * Returns an ErrorValue instead of throwing. Declared as a method so that implementations can narrow the parameter types.
   */
  evaluate(...args: Value[]): Value;
  /** Every overload of a library must have one (`test/unit/cel/prices.test.ts`). */
  readonly price?: Price;
  /** Arguments may be errors or optionals of errors (used only by `@not_strictly_false`). */
  readonly nonStrict?: boolean;
  /**
   * How cel-go binds the implementation; default `guarded`. `unguarded` (`DisableTypeGuards`): called with any run-time types. `singleton`
   * (`SingletonBinaryBinding` …): one implementation for all overloads of the function, also if the checker left several; it handles all
   * types, and returns `no such overload` for unsupported ones. All rows of a function must agree.
   */
  readonly dispatch?: 'guarded' | 'unguarded' | 'singleton';
  /**
   * True if cel-go binds one or two arguments with `FunctionBinding`: arguments after the first error are not
   * evaluated, and such a call is free.
   */
  readonly variadic?: boolean;
  /**
   * Units of work (`Meter`) per character of the result, if the result can be much longer than its cost suggests. Equal
   * for all rows of a function.
   */
  readonly textWork?: number;
  /** Compiles a literal pattern at plan time (cel-go `RegexOptimization`). Equal for all rows of a function. */
  readonly literalPattern?: LiteralPattern;
}

export interface LiteralPattern {
  /** Index of the pattern among the arguments; the receiver is 0. */
  readonly index: number;
  /**
   * Returns the call with the compiled pattern; an ErrorValue makes program instantiation fail. The call receives all
   * arguments including the pattern, without type guards.
   */
  compile(pattern: string): ((...args: Value[]) => Value) | ErrorValue;
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** The host's price for all functions with this name; absent: none. */
  readonly price?: NamePrice;
}

/** A named set of functions, macros and types that an environment can include (cel-go `cel.Library`). */
export interface Library {
  readonly name: string;
  readonly functions: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
  readonly types?: TypeProvider;
}

/**
 * Run-time cost of a call in cel-go's units (`interpreter.ActualCostEstimator`); undefined leaves the default to the
 * caller. `function` and `overload` are declared names; the overload is empty if the checker left several. The receiver
 * is the first argument. Arguments and result may be ErrorValues, because cel-go also charges for failed calls.
 */
export type CallCost = (
  functionName: string,
  overloadId: string,
  args: readonly Value[],
  result: Value,
) => number | undefined;
