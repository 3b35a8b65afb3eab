// What a macro builds its replacement with: nodes that carry fresh ids and the place of the macro call.
import type {
  CallExpr,
  ComprehensionExpr,
  Expr,
  IdentExpr,
  ListExpr,
  LiteralExpr,
  MapEntry,
  MapExpr,
  SelectExpr,
} from './ast.ts';

/**
 * cel-go `parser.ExprHelper`. Ids are given out in the order of the calls, so a macro that is to be cel-go's equal makes its
 * nodes in the same order: children before the node that holds them.
 */
export interface ExprFactory {
  /** Name of the variable that folds collect their result in; not an identifier a user can write. */
  readonly accumulatorName: string;
  /** The same expression with fresh ids throughout; every node keeps its place. */
  copy(expr: Expr): Expr;
  literal(value: LiteralExpr['value']): LiteralExpr;
  ident(name: string): IdentExpr;
  accumulator(): IdentExpr;
  select(operand: Expr, field: string): SelectExpr;
  presenceTest(operand: Expr, field: string): SelectExpr;
  call(functionName: string, ...args: Expr[]): CallExpr;
  memberCall(functionName: string, target: Expr, ...args: Expr[]): CallExpr;
  list(...elements: Expr[]): ListExpr;
  map(...entries: MapEntry[]): MapExpr;
  mapEntry(key: Expr, value: Expr, optional?: boolean): MapEntry;
  comprehension(parts: ComprehensionParts): ComprehensionExpr;
  /** Reports a problem with one of the arguments; returns undefined, for a macro to return in turn. */
  error(at: Expr, message: string): undefined;
}

export type ComprehensionParts = Omit<ComprehensionExpr, 'kind' | 'id' | 'offset' | 'start' | 'end' | 'iterVar2'> & {
  readonly iterVar2?: string;
};
