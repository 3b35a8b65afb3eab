// The syntax tree (cel-go `common/ast`). Macros are expanded; the original calls are stored separately.
import type { Bytes, Uint } from '../value/scalar.ts';

/** Offsets are 0-based and count code points of the expression's text. */
export interface ExprNode {
  /** 1-based and unique in its Ast, in cel-go's order of creation. */
  readonly id: number;
  /** The location at which cel-go reports this node: the operator of a binary call, the `(` of a function call, the `.` of a selection. */
  readonly offset: number;
  /** The node's text range, half-open. Nodes created by a macro have the range of the macro call. */
  readonly start: number;
  readonly end: number;
}

export type Expr =
  | LiteralExpr
  | IdentExpr
  | SelectExpr
  | CallExpr
  | ListExpr
  | MapExpr
  | StructExpr
  | ComprehensionExpr;

export interface LiteralExpr extends ExprNode {
  readonly kind: 'literal';
  readonly value: null | boolean | bigint | number | string | Uint | Bytes;
}

export interface IdentExpr extends ExprNode {
  readonly kind: 'ident';
  /** A leading dot is part of the name: `.a`. */
  readonly name: string;
}

export interface SelectExpr extends ExprNode {
  readonly kind: 'select';
  readonly operand: Expr;
  readonly field: string;
  /** True for `has(operand.field)`. */
  readonly testOnly: boolean;
}

export interface CallExpr extends ExprNode {
  readonly kind: 'call';
  /** Operators have cel-go's names: `_&&_`, `_?_:_`, `_[_]`, `@in`, `_?._`, `_[?_]`, `!_`, `-_`. */
  readonly function: string;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}

export interface ListExpr extends ExprNode {
  readonly kind: 'list';
  readonly elements: readonly Expr[];
  /** Indices of `[?x]` elements. */
  readonly optionalIndices: readonly number[];
}

export interface MapEntry {
  readonly id: number;
  /** Offset of the `:`. */
  readonly offset: number;
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface MapExpr extends ExprNode {
  readonly kind: 'map';
  readonly entries: readonly MapEntry[];
}

export interface StructField {
  readonly id: number;
  /** Offset of the `:`. */
  readonly offset: number;
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface StructExpr extends ExprNode {
  readonly kind: 'struct';
  readonly typeName: string;
  readonly fields: readonly StructField[];
}

export interface ComprehensionExpr extends ExprNode {
  readonly kind: 'comprehension';
  readonly iterRange: Expr;
  readonly iterVar: string;
  /** Second variable of two-variable comprehensions. */
  readonly iterVar2: string | undefined;
  readonly accuVar: string;
  readonly accuInit: Expr;
  readonly loopCondition: Expr;
  readonly loopStep: Expr;
  readonly result: Expr;
}

export interface Ast {
  readonly text: string;
  readonly expr: Expr;
  /** By id of every node that a macro created: the macro call as written. */
  readonly macroCalls: ReadonlyMap<number, CallExpr>;
}
