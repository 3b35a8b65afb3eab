// Finds the policy variables that an expression reads.
import type { Expr } from '../../../../cel/syntax/ast.ts';
import { visitPostOrder } from '../../../../cel/syntax/children.ts';

/** Undefined if `variables` is used as a whole, so that any variable may be read. */
export function variableReferences(expr: Expr): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  let mentions = 0;
  let selections = 0;
  visitPostOrder(expr, (node) => {
    if (isVariables(node)) mentions += 1;
    const name = selectedVariable(node);
    if (name === undefined) return;
    selections += 1;
    names.add(name);
  });
  return mentions > selections ? undefined : names;
}

/** Matches `variables.a`, `has(variables.a)` and `variables.?a`. */
function selectedVariable(node: Expr): string | undefined {
  if (node.kind === 'select') return isVariables(node.operand) ? node.field : undefined;
  if (node.kind !== 'call' || node.function !== '_?._') return undefined;
  const [operand, field] = node.args;
  if (operand === undefined || !isVariables(operand)) return undefined;
  return field?.kind === 'literal' && typeof field.value === 'string' ? field.value : undefined;
}

function isVariables(node: Expr): boolean {
  return node.kind === 'ident' && node.name.replace(/^\./, '') === 'variables';
}
