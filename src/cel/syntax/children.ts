// Tree traversal in cel-go's order.
import type { Expr } from './ast.ts';

export function forEachChild(expr: Expr, visit: (child: Expr) => void): void {
  switch (expr.kind) {
    case 'literal':
    case 'ident':
      return;
    case 'select':
      visit(expr.operand);
      return;
    case 'call':
      if (expr.target !== undefined) visit(expr.target);
      for (const arg of expr.args) visit(arg);
      return;
    case 'list':
      for (const element of expr.elements) visit(element);
      return;
    case 'map':
      for (const { key, value } of expr.entries) {
        visit(key);
        visit(value);
      }
      return;
    case 'struct':
      for (const { value } of expr.fields) visit(value);
      return;
    case 'comprehension':
      visit(expr.iterRange);
      visit(expr.accuInit);
      visit(expr.loopCondition);
      visit(expr.loopStep);
      visit(expr.result);
  }
}

/** Every node below and including `expr`, children before their parents (cel-go `ast.MatchDescendants`). */
export function visitPostOrder(expr: Expr, visit: (node: Expr) => void): void {
  const descend = (node: Expr): void => {
    forEachChild(node, descend);
    visit(node);
  };
  descend(expr);
}
