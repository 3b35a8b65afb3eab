// Detects calls of namespaced functions, which parse as receiver-style calls: `math.least(x)`.
import type { Expr } from '../../../src/cel/syntax/ast.ts';

export function isNamespace(target: Expr | undefined, name: string): boolean {
  return target?.kind === 'ident' && target.name === name;
}
