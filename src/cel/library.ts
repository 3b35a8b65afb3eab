// One declaration per function, shared by checker, evaluator, cost counter, version gate and documentation.
import type { TypeProvider } from './check/type-provider.ts';
import type { Macro } from './syntax/macro.ts';
import type { Value } from './value/value.ts';

/**
 * One overload. The signature is the only statement of its shape; the checker's types and the evaluator's run-time guards
 * are derived from it: `string.find(string) -> string` (receiver style), `size(list(<A>)) -> int` (global style),
 * `_+_(int, int) -> int` (operators by cel-go's names). `<A>` is a type parameter.
 */
export interface Overload {
  /** cel-go's or Kubernetes' overload id, e.g. `string_find_string`. */
  readonly id: string;
  readonly signature: string;
  /**
   * Called with the receiver first, only when the run-time types fit the signature and no argument is an error
   * (unless `nonStrict`). Returns an ErrorValue rather than throwing. Declared as a method so that narrower parameter types are accepted.
   */
  evaluate(...args: Value[]): Value;
  /** Arguments may be errors or optionals of errors; the implementation sees them (only `@not_strictly_false` in practice). */
  readonly nonStrict?: boolean;
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
}

/** A named set of functions, macros and types that an environment can include (cel-go `cel.Library`). */
export interface Library {
  readonly name: string;
  readonly functions: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
  readonly types?: TypeProvider;
}

/**
 * Run-time cost of a call, in cel-go's units (`interpreter.ActualCostEstimator`); undefined leaves the default to the caller.
 * `function` and `overload` are names as declared; args hold the receiver first.
 */
export type CallCost = (
  functionName: string,
  overloadId: string,
  args: readonly Value[],
  result: Value,
) => number | undefined;
