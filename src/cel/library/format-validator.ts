// Checks calls of `format` whose template and argument list are literals (cel-go `stringFormatValidator`).
import type { AstValidator, ReportIssue } from '../check/ast-validator.ts';
import type { CheckedAst } from '../check/checked-ast.ts';
import { DYN, type Type, type TypeKind } from '../check/type.ts';
import type { Expr } from '../syntax/ast.ts';
import { visitPostOrder } from '../syntax/children.ts';
import { ErrorValue } from '../value/value.ts';
import { CLAUSE_MISMATCH } from './format.ts';
import { type Clause, countClauses, fillTemplate } from './format-template.ts';

/** Used with `STRINGS_2`; in cel-go, the library includes the validator. */
export const FORMAT_VALIDATOR: AstValidator = {
  name: 'cel.validator.string_format',
  mixedLiteralFunctions: ['format'],
  validate(ast, report) {
    visitPostOrder(ast.expr, (node) => validateCall(node, ast, report));
  },
};

function validateCall(call: Expr, ast: CheckedAst, report: ReportIssue): void {
  if (call.kind !== 'call' || call.function !== 'format') return;
  const [list] = call.args;
  if (call.target?.kind !== 'literal' || list?.kind !== 'list' || call.args.length !== 1) return;
  const template = call.target.value;
  const overloadIds = ast.references.get(call.id)?.overloadIds ?? [];
  if (typeof template !== 'string' || (overloadIds.length > 0 && !overloadIds.includes('string_format'))) return;

  let culprit: Expr = call;
  const filled = fillTemplate(template, {
    argCount: list.elements.length,
    fetchesFirst: false,
    format({ verb }, argIndex) {
      const unfit = findUnfit(verb, list.elements[argIndex] as Expr, ast);
      if (unfit === undefined) return '';
      culprit = unfit;
      return new ErrorValue(`${CLAUSE_MISMATCH[verb]}, was given ${typeIn(ast, unfit).name}`);
    },
  });
  if (filled instanceof ErrorValue) {
    report(culprit, filled.message);
    return;
  }
  const expected = countClauses(template);
  if (list.elements.length > expected) {
    const counts = `(expected ${expected}, got ${list.elements.length})`;
    report(call, `too many arguments supplied to string.format ${counts}`);
  }
}

/** Type parameters of lists and maps do not matter. A string can be `Infinity`. */
const ACCEPTED: Readonly<Record<Clause['verb'], readonly TypeKind[]>> = {
  s: [
    ...(['list', 'map', 'int', 'uint', 'double', 'bool', 'string'] as const),
    ...(['timestamp', 'bytes', 'duration', 'type', 'null'] as const),
  ],
  d: ['int', 'uint'],
  f: ['double', 'string'],
  e: ['double', 'string'],
  b: ['int', 'uint', 'bool'],
  x: ['int', 'uint', 'string', 'bytes'],
  X: ['int', 'uint', 'string', 'bytes'],
  o: ['int', 'uint'],
};

/** The argument, or the invalid part of a list or map literal. */
function findUnfit(verb: Clause['verb'], argument: Expr, ast: CheckedAst): Expr | undefined {
  const { kind } = typeIn(ast, argument);
  if (kind !== 'dyn' && !ACCEPTED[verb].includes(kind)) return argument;
  return verb === 's' ? findFirst(elementsOf(argument), (element) => findUnfit(verb, element, ast)) : undefined;
}

function elementsOf(literal: Expr): readonly Expr[] {
  if (literal.kind === 'list') return literal.elements;
  return literal.kind === 'map' ? literal.entries.flatMap(({ key, value }) => [key, value]) : [];
}

function findFirst<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function typeIn(ast: CheckedAst, expr: Expr): Type {
  return ast.types.get(expr.id) ?? DYN;
}
