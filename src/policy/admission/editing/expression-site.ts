// The fields of admission policies that contain expressions, and the variables visible there.
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { isJsonArray, type JsonValue } from '../../../source/json/json.ts';
import { valueAt } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { type AdmissionPolicy, isAdmissionKind, readPolicyFields } from '../generic/admission-policy.ts';

export interface ExpressionSite {
  readonly resource: Resource;
  readonly policy: Omit<AdmissionPolicy, 'kind'>;
  /** Field in the policy object. */
  readonly path: FieldPath;
  readonly expression: string;
  /** Number of the policy's variables that are visible, from the first. Undefined if `variables` is not declared. */
  readonly visibleVariables: number | undefined;
  readonly hasAuthorizer: boolean;
  readonly isMutation: boolean;
}

const VALIDATING = 'ValidatingAdmissionPolicy';
const MUTATING = 'MutatingAdmissionPolicy';

export function isExpressionPolicy(resource: Resource): boolean {
  return isAdmissionKind(resource, VALIDATING) || isAdmissionKind(resource, MUTATING);
}

/** Undefined for fields without an expression and for objects other than policies. */
export function siteAt(resource: Resource, path: FieldPath): ExpressionSite | undefined {
  if (!isExpressionPolicy(resource)) return undefined;
  const [spec, list, index, ...last] = path;
  const field = last.join('.');
  if (spec !== 'spec' || typeof index !== 'number' || !FIELDS.has(`${list}.${field}`)) return undefined;
  const policy = readPolicyFields(resource);
  const expression = valueAt(resource.value, path);
  const all = policy.variables.length;
  return {
    resource,
    policy,
    path,
    // In an editor, a field without a value yet is null.
    expression: typeof expression === 'string' ? expression : '',
    visibleVariables: list === 'matchConditions' || all === 0 ? undefined : list === 'variables' ? index : all,
    hasAuthorizer: field !== 'messageExpression',
    isMutation: list === 'mutations',
  };
}

/** Every expression of a policy, in list order. */
export function sitesOf(resource: Resource): readonly ExpressionSite[] {
  if (!isExpressionPolicy(resource)) return [];
  return [...FIELDS].flatMap((field) => {
    const [list = '', ...last] = field.split('.');
    const items: JsonValue | undefined = valueAt(resource.value, ['spec', list]);
    if (!isJsonArray(items)) return [];
    return [...items.keys()].flatMap((index) => {
      const site = siteAt(resource, ['spec', list, index, ...last]);
      return site === undefined || site.expression === '' ? [] : [site];
    });
  });
}

const FIELDS: ReadonlySet<string> = new Set([
  'matchConditions.expression',
  'variables.expression',
  'validations.expression',
  'validations.messageExpression',
  'auditAnnotations.valueExpression',
  'mutations.applyConfiguration.expression',
  'mutations.jsonPatch.expression',
]);
