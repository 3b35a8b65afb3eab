// Makes small changes to the meaning of an expression. A test suite that notices none of them does not test the expression.
import type { CheckedAst } from '../check/checked-ast.ts';
import type { ComprehensionExpr, Expr } from '../syntax/ast.ts';
import { forEachChild } from '../syntax/children.ts';
import { macroShapeOf } from './macro-shape.ts';

export interface Mutant {
  readonly expression: string;
  /** The changed range in the original text; half-open, in code points. */
  readonly start: number;
  readonly end: number;
  /** Description of the change, such as "`<=` for `<`". */
  readonly change: string;
}

/** By function of the call: the operator and its possible replacements. */
const OPERATORS: ReadonlyMap<string, readonly [written: string, others: readonly string[]]> = new Map([
  ['_<_', ['<', ['<=', '>']]],
  ['_<=_', ['<=', ['<', '>']]],
  ['_>_', ['>', ['>=', '<']]],
  ['_>=_', ['>=', ['>', '<']]],
  ['_==_', ['==', ['!=']]],
  ['_!=_', ['!=', ['==']]],
]);

const QUANTIFIERS: ReadonlyMap<string, string> = new Map([
  ['all', 'exists'],
  ['exists', 'all'],
  ['exists_one', 'exists'],
]);

/** In text order. Some mutants may not compile or may have the same meaning. */
export function mutantsOf({
  text,
  expr,
  macroCalls,
}: Pick<CheckedAst, 'text' | 'expr' | 'macroCalls'>): readonly Mutant[] {
  const characters = [...text];
  const slice = (start: number, end: number): string => characters.slice(start, end).join('');
  const mutants: Mutant[] = [];
  const replace = (start: number, end: number, by: string, change: string): void => {
    mutants.push({ expression: slice(0, start) + by + slice(end, characters.length), start, end, change });
  };
  const textOf = ({ start, end }: Expr): string => `(${slice(start, end)})`;
  const shortened = (node: Expr): string => {
    const line = slice(node.start, node.end).replace(/\s+/g, ' ');
    return line.length > 40 ? `${line.slice(0, 40)}…` : line;
  };

  const quantifier = (node: ComprehensionExpr): void => {
    const call = macroCalls.get(node.id);
    const other = call && QUANTIFIERS.get(call.function);
    if (call?.target === undefined || other === undefined) return;
    const from = call.target.end;
    const between = slice(from, node.end);
    const found = between.search(/\b(all|exists|exists_one)\s*\(/);
    if (found < 0) return;
    const start = from + [...between.slice(0, found)].length;
    replace(start, start + call.function.length, other, `\`${other}\` for \`${call.function}\``);
  };
  const operator = (node: Expr, left: Expr, right: Expr, written: string, others: readonly string[]): void => {
    const at = slice(left.end, right.start).indexOf(written);
    if (at < 0) return;
    for (const other of others) {
      replace(
        left.end + at,
        left.end + at + written.length,
        other,
        `\`${other}\` for \`${written}\` in \`${shortened(node)}\``,
      );
    }
  };
  const visit = (node: Expr): void => {
    if (node.kind === 'comprehension') {
      visit(node.iterRange);
      quantifier(node);
      const shape = macroShapeOf(node);
      if (shape?.predicate !== undefined) visit(shape.predicate);
      if (shape?.kind === 'collect') visit(shape.transform);
      return;
    }
    if (node.kind === 'literal' && typeof node.value === 'boolean') {
      replace(node.start, node.end, String(!node.value), `\`${!node.value}\` for \`${node.value}\``);
    }
    if (node.kind === 'call') {
      const [first, second, third] = node.args;
      const known = OPERATORS.get(node.function);
      if (first !== undefined && second !== undefined) {
        if (known !== undefined) operator(node, first, second, ...known);
        if (node.function === '_&&_' || node.function === '_||_') {
          const [written, other] = node.function === '_&&_' ? ['&&', '||'] : ['||', '&&'];
          replace(node.start, node.end, textOf(first), `without \`${shortened(second)}\``);
          replace(node.start, node.end, textOf(second), `without \`${shortened(first)}\``);
          replace(
            node.start,
            node.end,
            `(${textOf(first)} ${other} ${textOf(second)})`,
            `\`${other}\` for \`${written}\``,
          );
        }
        if (node.function === '@in') replace(node.start, node.end, `!${textOf(node)}`, `not \`${shortened(node)}\``);
        if (node.function === '_?_:_' && third !== undefined) {
          replace(node.start, node.end, textOf(second), `always \`${shortened(second)}\``);
          replace(node.start, node.end, textOf(third), `always \`${shortened(third)}\``);
        }
      }
      if (node.function === '!_' && first !== undefined)
        replace(node.start, node.end, textOf(first), `\`${shortened(first)}\` without \`!\``);
    }
    forEachChild(node, visit);
  };
  visit(expr);
  return mutants.sort((one, other) => one.start - other.start);
}
