// Policies with one small change in one expression, to check whether their tests detect it.
import { mutantsOf } from '../../cel/eval/expression-mutants.ts';
import { Resource } from '../../kubernetes/api/resource.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../source/json/json.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { PolicyExpression } from './policy-coverage.ts';

export interface PolicyMutant {
  readonly original: PolicyExpression;
  readonly policy: Resource;
  /** Range of the change in the expression: half-open, in code points. */
  readonly start: number;
  readonly end: number;
  /** Description of the change: "`<=` for `<` in `a < b`". */
  readonly change: string;
}

export function policyMutants(original: PolicyExpression): readonly PolicyMutant[] {
  const { ast, field, policy } = original;
  const { manifest, rootPath, gvk, value } = policy.resource;
  return mutantsOf(ast).map(({ expression, start, end, change }) => {
    const changed = withValue(value, field, expression) as typeof value;
    return { original, policy: new Resource(manifest, rootPath, gvk, changed), start, end, change };
  });
}

function withValue(value: JsonValue, [step, ...rest]: FieldPath, text: string): JsonValue {
  if (step === undefined) return text;
  if (isJsonArray(value)) return value.map((item, index) => (index === step ? withValue(item, rest, text) : item));
  if (!isJsonObject(value)) return value;
  return new Map([...value].map(([key, inner]) => [key, key === step ? withValue(inner, rest, text) : inner]));
}
