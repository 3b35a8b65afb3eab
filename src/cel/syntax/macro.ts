// What a macro is: a call the parser rewrites before anything else sees it (cel-go `parser/macro.go`).
import type { Expr } from './ast.ts';
import type { ExprFactory } from './expr-factory.ts';

export interface Macro {
  readonly name: string;
  /** Number of arguments, without the receiver. A macro for exactly as many as there are goes before one for `any`. */
  readonly argCount: number | 'any';
  readonly receiverStyle: boolean;
  /** Returns the replacement, or undefined to leave the call as it is. Problems are reported with `factory.error`. */
  expand(factory: ExprFactory, target: Expr | undefined, args: readonly Expr[]): Expr | undefined;
}
