// The sub-expressions of a node, in the order cel-go visits them.
import type { Expr } from './ast.ts';

export function childrenOf(expr: Expr): readonly Expr[] {
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
      return expr.entries.flatMap((entry) => [entry.key, entry.value]);
    case 'struct':
      return expr.fields.map((field) => field.value);
    case 'comprehension':
      return [expr.iterRange, expr.accuInit, expr.loopCondition, expr.loopStep, expr.result];
  }
}

/** Every node below and including `expr`, children before their parents (cel-go `ast.MatchDescendants`). */
export function visitPostOrder(expr: Expr, visit: (node: Expr) => void): void {
  for (const child of childrenOf(expr)) visitPostOrder(child, visit);
  visit(expr);
}
