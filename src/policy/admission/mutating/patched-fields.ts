// Finds the fields that JSON patch operations name: `test` and `copy` read fields that no expression reads.
import type { Expr } from '../../../cel/syntax/ast.ts';
import { visitPostOrder } from '../../../cel/syntax/children.ts';
import type { CompiledExpression } from '../../expression/compiled-expression.ts';

/** Paths from the object's root. For a partly computed path: its constant prefix. List indices are strings. */
export function patchedFields({ ast }: CompiledExpression): readonly (readonly string[])[] {
  const fields: (readonly string[])[] = [];
  if (ast === undefined) return fields;
  visitPostOrder(ast.expr, (expr) => {
    if (expr.kind !== 'struct' || expr.typeName.replace(/^\./, '') !== 'JSONPatch') return;
    for (const { name, value } of expr.fields) {
      if (name === 'path' || name === 'from') fields.push(fieldOf(writtenText(value)));
    }
  });
  return fields;
}

/** The constant prefix of a text expression. */
interface WrittenText {
  readonly text: string;
  readonly isWhole: boolean;
}

const UNKNOWN: WrittenText = { text: '', isWhole: false };

function writtenText(expr: Expr): WrittenText {
  if (expr.kind === 'literal') return typeof expr.value === 'string' ? { text: expr.value, isWhole: true } : UNKNOWN;
  if (expr.kind !== 'call') return UNKNOWN;
  const [first, second] = expr.args;
  if (expr.function === '_+_' && first !== undefined && second !== undefined) {
    const left = writtenText(first);
    if (!left.isWhole) return left;
    const right = writtenText(second);
    return { text: left.text + right.text, isWhole: right.isWhole };
  }
  const { target } = expr;
  const isEscape = expr.function === 'escapeKey' && target?.kind === 'ident' && target.name === 'jsonpatch';
  if (!isEscape || first?.kind !== 'literal' || typeof first.value !== 'string') return UNKNOWN;
  return { text: first.value.replaceAll('~', '~0').replaceAll('/', '~1'), isWhole: true };
}

/** Stops at an incomplete step and at an end-of-list index, which may be any index. */
function fieldOf({ text, isWhole }: WrittenText): readonly string[] {
  const steps = text.split('/').slice(1);
  if (!isWhole) steps.pop();
  const end = steps.findIndex((step) => step === '-' || /^-\d+$/.test(step));
  return (end < 0 ? steps : steps.slice(0, end)).map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
