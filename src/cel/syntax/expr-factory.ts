// The node factory for macro expansions. Nodes get new ids and the location of the macro call.
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
 * cel-go `parser.ExprHelper`. Ids are assigned in call order, so a macro must create nodes in cel-go's order: children before their parent.
 */
export interface ExprFactory {
  /** Name of the accumulator variable of folds, which users cannot write. */
  readonly accumulatorName: string;
  /** A deep copy with new ids; nodes keep their locations. */
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
  /** Reports a problem with an argument. Returns undefined, which the macro returns too. */
  error(at: Expr, message: string): undefined;
}

export type ComprehensionParts = Omit<ComprehensionExpr, 'kind' | 'id' | 'offset' | 'start' | 'end' | 'iterVar2'> & {
  readonly iterVar2?: string;
};
