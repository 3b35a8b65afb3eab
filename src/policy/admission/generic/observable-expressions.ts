// The expressions of a policy that an explanation traces.
import type { PolicyExpression } from '../../explanation/policy-coverage.ts';
import type { AdmissionPolicy, PlacedExpression } from './admission-policy.ts';

const LISTS: ReadonlySet<unknown> = new Set(['matchConditions', 'variables', 'validations', 'mutations']);

/** Of variables with the same name, only the last is effective. Messages and audit annotations decide nothing and are left out. */
export function observableExpressions(
  policy: AdmissionPolicy,
  expressions: readonly PlacedExpression[],
): readonly PolicyExpression[] {
  return expressions.flatMap(({ path, compiled: { ast } }) => {
    const [, list, index, last] = path;
    if (ast === undefined || !LISTS.has(list) || last === 'messageExpression') return [];
    if (list !== 'variables' || typeof index !== 'number') return [{ policy, field: path, ast }];
    const variable = policy.variables[index]?.name;
    const isLast = variable !== undefined && policy.variables.findLastIndex(({ name }) => name === variable) === index;
    return isLast ? [{ policy, field: path, ast, variable }] : [];
  });
}
