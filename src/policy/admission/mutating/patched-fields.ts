// Fields that the operations of JSON patches name: a `test` or a `copy` looks at what no expression reads.
import type { Expr } from '../../../cel/syntax/ast.ts';
import { visitPostOrder } from '../../../cel/syntax/children.ts';
import type { CompiledExpression } from '../../expression/compiled-expression.ts';

/** From the object's top; everything in it where only the first part of a path is written out. Steps into lists are texts. */
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

/** As far as an expression writes out its text from the left. */
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

/** A step that is not whole, and what stands at the end of a list, may be any of those there. */
function fieldOf({ text, isWhole }: WrittenText): readonly string[] {
  const steps = text.split('/').slice(1);
  if (!isWhole) steps.pop();
  const end = steps.findIndex((step) => step === '-' || /^-\d+$/.test(step));
  return (end < 0 ? steps : steps.slice(0, end)).map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
