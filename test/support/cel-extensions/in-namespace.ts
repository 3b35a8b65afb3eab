// Whether a receiver-style call is one of a function in a namespace: `math.least(x)`.
import type { Expr } from '../../../src/cel/syntax/ast.ts';

export function isNamespace(target: Expr | undefined, name: string): boolean {
  return target?.kind === 'ident' && target.name === name;
}
