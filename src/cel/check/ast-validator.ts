// A rule about literals that runs after type checking, e.g. that a regular expression compiles (cel-go `cel.ASTValidator`).
import type { Expr } from '../syntax/ast.ts';
import type { CheckedAst } from './checked-ast.ts';

export type ReportIssue = (at: Expr, message: string) => void;

export interface AstValidator {
  /** Unique in an environment; a second validator of the same name is ignored. */
  readonly name: string;
  /** Functions whose arguments may be list and map literals of mixed types, e.g. `format`. */
  readonly mixedLiteralFunctions?: readonly string[];
  /** `mixedLiteralFunctions` combines those of all validators of the environment. */
  validate(ast: CheckedAst, report: ReportIssue, mixedLiteralFunctions: ReadonlySet<string>): void;
}
