// Finds definitions and uses of a policy's variables.
import { cursorAt } from '../../../cel/editing/expression-cursor.ts';
import { writtenTokens } from '../../../cel/editing/written-tokens.ts';
import type { Resource } from '../../../kubernetes/api/resource.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { readPolicyFields } from '../generic/admission-policy.ts';
import { type ExpressionSite, isExpressionPolicy, sitesOf } from './expression-site.ts';

/** A range in a string field of an object, in UTF-16 units of the decoded text. */
export interface FieldText {
  readonly resource: Resource;
  readonly path: FieldPath;
  readonly start: number;
  readonly end: number;
}

export function variableAt(site: ExpressionSite, offset: number): string | undefined {
  const { text, operand, name } = cursorAt(site.expression, offset);
  if (operand === undefined || name.start === name.end) return undefined;
  return text.slice(operand.start, operand.end) === 'variables' ? text.slice(name.start, name.end) : undefined;
}

export function variableNamedAt(resource: Resource, path: FieldPath): string | undefined {
  const [spec, list, index, field] = path;
  if (!isExpressionPolicy(resource) || spec !== 'spec' || list !== 'variables' || field !== 'name') return undefined;
  return typeof index === 'number' ? readPolicyFields(resource).variables[index]?.name : undefined;
}

/** Locations of the variable's definition. Several if the policy defines it more than once. */
export function variableEntries(resource: Resource, name: string): readonly FieldText[] {
  return readPolicyFields(resource).variables.flatMap((variable, index) =>
    variable.name === name
      ? [{ resource, path: ['spec', 'variables', index, 'name'], start: 0, end: name.length }]
      : [],
  );
}

export function variableUses(resource: Resource, name: string): readonly FieldText[] {
  return sitesOf(resource).flatMap(({ expression, path }) =>
    usesIn(expression, name).map((start) => ({ resource, path, start, end: start + name.length })),
  );
}

function usesIn(expression: string, name: string): readonly number[] {
  const tokens = writtenTokens(expression);
  return tokens.flatMap(({ start, end }, index) => {
    if (expression.slice(start, end) !== name) return [];
    const [before, dot, object] = [tokens[index - 3], tokens[index - 1], tokens[index - 2]];
    if (dot === undefined || object === undefined || expression.slice(dot.start, dot.end) !== '.') return [];
    if (expression.slice(object.start, object.end) !== 'variables') return [];
    const isField = before !== undefined && expression.slice(before.start, before.end) === '.';
    return isField ? [] : [start];
  });
}
