// The fields of admission policies that hold expressions, and what is seen there.
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { isJsonArray, type JsonValue } from '../../../source/json/json.ts';
import { valueAt } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { type AdmissionPolicy, isAdmissionKind, readPolicyFields } from '../generic/admission-policy.ts';

export interface ExpressionSite {
  readonly resource: Resource;
  readonly policy: Omit<AdmissionPolicy, 'kind'>;
  /** In the object. */
  readonly path: FieldPath;
  readonly expression: string;
  /** The first so many of the policy's variables; undefined where there is no `variables`. */
  readonly visibleVariables: number | undefined;
  readonly hasAuthorizer: boolean;
  readonly isMutation: boolean;
}

const VALIDATING = 'ValidatingAdmissionPolicy';
const MUTATING = 'MutatingAdmissionPolicy';

export function isExpressionPolicy(resource: Resource): boolean {
  return isAdmissionKind(resource, VALIDATING) || isAdmissionKind(resource, MUTATING);
}

/** Undefined for a field without an expression; of an object that is no policy. */
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
    // A field that is about to be written is null.
    expression: typeof expression === 'string' ? expression : '',
    visibleVariables: list === 'matchConditions' || all === 0 ? undefined : list === 'variables' ? index : all,
    hasAuthorizer: field !== 'messageExpression',
    isMutation: list === 'mutations',
  };
}

/** Every expression of a policy, in the order of the lists. */
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
