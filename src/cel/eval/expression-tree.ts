// Finds the AST node of an event.
import { append } from '../../go/slices/append.ts';
import type { Ast, CallExpr, Expr } from '../syntax/ast.ts';

/** The nodes of an expression by id, and the trees of its lazily evaluated variables. */
export class ExpressionTree {
  readonly #nodes = new Map<number, Expr>();
  readonly #variableAst: (name: string) => Ast | undefined;
  readonly #variables = new Map<string, ExpressionTree>();

  /** `variableAst` returns the trees of lazily evaluated variables. */
  constructor(ast: Ast, variableAst: (name: string) => Ast | undefined = () => undefined) {
    this.#variableAst = variableAst;
    const pending = [ast.expr];
    for (let expr = pending.pop(); expr !== undefined; expr = pending.pop()) {
      this.#nodes.set(expr.id, expr);
      append(pending, childrenOf(expr));
    }
  }

  node(id: number): Expr | undefined {
    return this.#nodes.get(id);
  }

  call(id: number): CallExpr | undefined {
    const expr = this.#nodes.get(id);
    return expr?.kind === 'call' ? expr : undefined;
  }

  variable(name: string): ExpressionTree | undefined {
    const known = this.#variables.get(name);
    if (known !== undefined) return known;
    const ast = this.#variableAst(name);
    if (ast === undefined) return undefined;
    const tree = new ExpressionTree(ast, this.#variableAst);
    this.#variables.set(name, tree);
    return tree;
  }
}

function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'literal':
    case 'ident':
      return [];
    case 'select':
      return [expr.operand];
    case 'call':
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args];
    case 'list':
      return expr.elements;
    case 'map':
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return expr.fields.map(({ value }) => value);
    case 'comprehension':
      return [expr.iterRange, expr.accuInit, expr.loopCondition, expr.loopStep, expr.result];
  }
}
