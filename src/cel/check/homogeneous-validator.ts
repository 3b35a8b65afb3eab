// Requires one type for the elements of a list literal, and for the keys and the values of a map literal (cel-go `cel/validator.go`).
import type { Expr, ListExpr, MapExpr } from '../syntax/ast.ts';
import { forEachChild } from '../syntax/children.ts';
import type { AstValidator, ReportIssue } from './ast-validator.ts';
import type { CheckedAst } from './checked-ast.ts';
import { formatType } from './format-type.ts';
import { DYN, type Type } from './type.ts';

export const HOMOGENEOUS_LITERALS_VALIDATOR: AstValidator = {
  name: 'cel.validator.homogeneous_literals',
  validate(ast, report, mixedLiteralFunctions) {
    const lists: ListExpr[] = [];
    const maps: MapExpr[] = [];
    collect(ast.expr, mixedLiteralFunctions, lists, maps);
    for (const list of lists) validateList(list, ast, report);
    for (const map of maps) validateMap(map, ast, report);
  },
};

/** Children first. Skips everything inside calls of the `exempt` functions. */
function collect(expr: Expr, exempt: ReadonlySet<string>, lists: ListExpr[], maps: MapExpr[]): void {
  if (expr.kind === 'call' && exempt.has(expr.function)) return;
  forEachChild(expr, (child) => collect(child, exempt, lists, maps));
  if (expr.kind === 'list') lists.push(expr);
  else if (expr.kind === 'map') maps.push(expr);
}

function validateList(list: ListExpr, ast: CheckedAst, report: ReportIssue): void {
  const optional = new Set(list.optionalIndices);
  let wanted: Type | undefined;
  for (const [index, element] of list.elements.entries()) {
    const type = typeIn(ast, element, optional.has(index));
    if (wanted === undefined) {
      wanted = type;
    } else if (!isEquivalent(wanted, type)) {
      reportMismatch(report, element, wanted, type);
      return;
    }
  }
}

function validateMap(map: MapExpr, ast: CheckedAst, report: ReportIssue): void {
  const [first, ...rest] = map.entries;
  if (first === undefined) return;
  const keyType = typeIn(ast, first.key, false);
  const valueType = typeIn(ast, first.value, first.optional);
  for (const { key, value, optional } of rest) {
    const otherKey = typeIn(ast, key, false);
    if (!isEquivalent(keyType, otherKey)) reportMismatch(report, key, keyType, otherKey);
    const otherValue = typeIn(ast, value, optional);
    if (!isEquivalent(valueType, otherValue)) reportMismatch(report, value, valueType, otherValue);
  }
}

/** cel-go crashes on `[?x, …]` with a dynamic `x`; here the element is dynamic. */
function typeIn(ast: CheckedAst, expr: Expr, optional: boolean): Type {
  const type = ast.types.get(expr.id) ?? DYN;
  return optional ? (type.parameters[0] ?? DYN) : type;
}

/** cel-go `Type.IsEquivalentType`: names of type parameters do not matter. */
function isEquivalent(one: Type, other: Type): boolean {
  if (one === other) return true;
  if (one.kind !== other.kind || one.parameters.length !== other.parameters.length) return false;
  if (one.kind !== 'param' && one.name !== other.name) return false;
  return one.parameters.every((parameter, index) => isEquivalent(parameter, other.parameters[index] as Type));
}

function reportMismatch(report: ReportIssue, at: Expr, wanted: Type, found: Type): void {
  report(at, `expected type '${formatType(wanted)}' but found '${formatType(found)}'`);
}
