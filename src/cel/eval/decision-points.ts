// Finds the parts of an expression whose outcomes tests should cover.
import type { CheckedAst } from '../check/checked-ast.ts';
import type { Expr } from '../syntax/ast.ts';
import { forEachChild } from '../syntax/children.ts';
import { macroShapeOf } from './macro-shape.ts';

export interface DecisionPoint {
  readonly nodeId: number;
  /** Half-open, in code points of the expression's text. */
  readonly start: number;
  readonly end: number;
  /** `either`: both true and false must occur. `reached`: a branch of `?:`, or an expression that is not a condition. */
  readonly wants: 'either' | 'reached';
}

/**
 * The whole expression, each side of `&&` and `||`, condition and branches of `?:`, each `has()`, and the predicates of
 * `all`, `exists` and similar macros. In text order, without literals.
 */
export function decisionPoints({ expr, types }: CheckedAst): readonly DecisionPoint[] {
  const found = new Map<number, DecisionPoint>();
  const add = (node: Expr, wants: DecisionPoint['wants']): void => {
    if (node.kind === 'literal') return;
    const { id, start, end } = node;
    if (found.get(id)?.wants !== 'either') found.set(id, { nodeId: id, start, end, wants });
  };
  const isCondition = (node: Expr): boolean => types.get(node.id)?.kind === 'bool';
  const visit = (node: Expr): void => {
    if (node.kind === 'comprehension') {
      visit(node.iterRange);
      const shape = macroShapeOf(node);
      if (shape?.predicate !== undefined) add(shape.predicate, 'either');
      if (shape?.predicate !== undefined) visit(shape.predicate);
      if (shape?.kind === 'collect') visit(shape.transform);
      return;
    }
    if (node.kind === 'select' && node.testOnly) add(node, 'either');
    if (node.kind === 'call' && (node.function === '_&&_' || node.function === '_||_')) {
      for (const side of node.args) add(side, 'either');
    }
    const [condition, ...branches] = node.kind === 'call' && node.function === '_?_:_' ? node.args : [];
    if (condition !== undefined) add(condition, 'either');
    for (const branch of branches) add(branch, isCondition(branch) ? 'either' : 'reached');
    forEachChild(node, visit);
  };
  add(expr, isCondition(expr) ? 'either' : 'reached');
  visit(expr);
  return [...found.values()].sort((one, other) => one.start - other.start || other.end - one.end);
}
