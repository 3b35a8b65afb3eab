// One declaration per function, shared by checker, evaluator, cost counter, version gate and documentation.
import type { TypeProvider } from '../check/type-provider.ts';
import type { Macro } from '../syntax/macro.ts';
import type { ErrorValue, Value } from '../value/value.ts';
import type { NamePrice, Price } from './price.ts';

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
  /** Never left out in a library (`test/unit/cel/prices.test.ts`). */
  readonly price?: Price;
  /** Arguments may be errors or optionals of errors; the implementation sees them (only `@not_strictly_false` in practice). */
  readonly nonStrict?: boolean;
  /**
   * How cel-go binds the implementation; default `guarded`. `unguarded` (`DisableTypeGuards`): called whatever the run-time
   * types. `singleton` (`SingletonBinaryBinding` …): one implementation for every overload of the function, also when the checker
   * left several; it answers for all types, with `no such overload` where they do not fit. All rows of a function must agree.
   */
  readonly dispatch?: 'guarded' | 'unguarded' | 'singleton';
  /** True where one or two arguments are bound with cel-go's `FunctionBinding`: arguments after the first error are not evaluated, and such a call is free. */
  readonly variadic?: boolean;
  /**
   * Set where the result can be a text much longer than its cost says: units of work (`Meter`) for each of its characters. All rows
   * of a function share one.
   */
  readonly textWork?: number;
  /** What to make of a literal pattern at plan time (cel-go `RegexOptimization`). All rows of a function share one. */
  readonly literalPattern?: LiteralPattern;
}

export interface LiteralPattern {
  /** Position of the pattern among the arguments, the receiver being 0. */
  readonly index: number;
  /** The call with the pattern compiled; an ErrorValue's text makes program instantiation fail. Receives all arguments, the pattern included; run-time types are not guarded. */
  compile(pattern: string): ((...args: Value[]) => Value) | ErrorValue;
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** What a host asks for everything that is called so; absent: nothing. */
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
 * Run-time cost of a call, in cel-go's units (`interpreter.ActualCostEstimator`); undefined leaves the default to the caller.
 * `function` and `overload` are names as declared, the overload empty when the checker left several; args hold the receiver
 * first. Arguments and result may be ErrorValues: cel-go charges for failed calls as well.
 */
export type CallCost = (
  functionName: string,
  overloadId: string,
  args: readonly Value[],
  result: Value,
) => number | undefined;
