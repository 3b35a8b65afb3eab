// Qualified names in expressions and their lookup (cel-go `common/containers`).
import type { Expr } from '../syntax/ast.ts';

/** Looks a name up from the innermost package outwards. A leading dot restricts the lookup to the name as written. */
export function firstDeclared<T>(
  container: string,
  written: string,
  find: (name: string) => T | undefined,
): T | undefined {
  if (written.charCodeAt(0) === 0x2e) return find(written.slice(1));
  for (let within = container; within !== ''; within = within.slice(0, Math.max(within.lastIndexOf('.'), 0))) {
    const found = find(`${within}.${written}`);
    if (found !== undefined) return found;
  }
  return find(written);
}

/** `a.b.c` for a chain of plain selections on a name; otherwise undefined. */
export function qualifiedNameOf(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select' || expr.testOnly) return undefined;
  const operand = qualifiedNameOf(expr.operand);
  return operand === undefined ? undefined : `${operand}.${expr.field}`;
}
