// A macro: a call that the parser rewrites (cel-go `parser/macro.go`).
import type { Expr } from './ast.ts';
import type { ExprFactory } from './expr-factory.ts';

export interface Macro {
  readonly name: string;
  /** Number of arguments without the receiver. A macro with the exact number takes precedence over one for `any`. */
  readonly argCount: number | 'any';
  readonly receiverStyle: boolean;
  /** Returns the replacement, or undefined to keep the call. Reports problems with `factory.error`. */
  expand(factory: ExprFactory, target: Expr | undefined, args: readonly Expr[]): Expr | undefined;
}
