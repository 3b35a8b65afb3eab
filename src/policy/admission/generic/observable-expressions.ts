// The expressions of a policy that an explanation shows at work.
import type { PolicyExpression } from '../../explanation/policy-coverage.ts';
import type { AdmissionPolicy, PlacedExpression } from './admission-policy.ts';

const LISTS: ReadonlySet<unknown> = new Set(['matchConditions', 'variables', 'validations', 'mutations']);

/** Of two variables with one name the later one, which is the one that counts. Messages and audit annotations are no decisions. */
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
