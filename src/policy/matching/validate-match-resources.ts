// The API server's validation of matchConstraints and matchResources (`pkg/apis/admissionregistration/validation`).

import { isAtLeast, type KubernetesVersion } from '../../kubernetes/api/version.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../kubernetes/validation/field-error.ts';
import { labelKey, labelValue, pathSegmentName } from '../../kubernetes/validation/name-format.ts';
import { validateLabels } from '../../kubernetes/validation/object-meta.ts';
import type { JsonObject } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, optionalTextField, textField, textItems } from '../../source/json/json-field.ts';
import type { FieldPath } from '../../source/node/field-path.ts';

const OPERATIONS: readonly string[] = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const SCOPES: readonly string[] = ['*', 'Cluster', 'Namespaced'];
const MATCH_POLICIES: readonly string[] = ['Equivalent', 'Exact'];

/** `value` as written. Fields that the server defaults (matchPolicy, selectors, scope) are never reported as missing. */
export function validateMatchResources(
  value: JsonObject,
  path: FieldPath,
  version: KubernetesVersion,
): readonly FieldError[] {
  const objectSelectorName = isAtLeast(version, '1.29') ? 'objectSelector' : 'labelSelector';
  const matchPolicy = optionalTextField(value, 'matchPolicy') ?? 'Equivalent';
  const unknownPolicy = !MATCH_POLICIES.includes(matchPolicy);
  return [
    ...(unknownPolicy ? [notSupported([...path, 'matchPolicy'], matchPolicy, MATCH_POLICIES)] : []),
    ...validateLabelSelector(objectOrEmpty(value.get('namespaceSelector')), [...path, 'namespaceSelector']),
    ...validateLabelSelector(objectOrEmpty(value.get('objectSelector')), [...path, objectSelectorName]),
    ...['resourceRules', 'excludeResourceRules'].flatMap((field) =>
      objectItems(value.get(field)).flatMap((rule, index) => validateRule(rule, [...path, field, index])),
    ),
  ];
}

/** apimachinery `meta/v1/validation.ValidateLabelSelector`, strict. */
export function validateLabelSelector(selector: JsonObject, path: FieldPath): readonly FieldError[] {
  const requirements = objectItems(selector.get('matchExpressions'));
  return [
    ...validateLabels(objectOrEmpty(selector.get('matchLabels')), [...path, 'matchLabels']),
    ...requirements.flatMap((requirement, index) =>
      validateRequirement(requirement, [...path, 'matchExpressions', index]),
    ),
  ];
}

function validateRequirement(requirement: JsonObject, path: FieldPath): readonly FieldError[] {
  const values = textItems(requirement.get('values'));
  const key = textField(requirement, 'key');
  return [
    ...validateOperator(textField(requirement, 'operator'), values, path),
    ...labelKey(key).map((message) => invalid([...path, 'key'], key, message)),
    ...values.flatMap((value, index) =>
      labelValue(value).map((message) => invalid([...path, 'values', index], value, message)),
    ),
  ];
}

function validateOperator(operator: string, values: readonly string[], path: FieldPath): readonly FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) return [];
      return [required([...path, 'values'], "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return [];
      return [forbidden([...path, 'values'], "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [{ ...invalid([...path, 'operator'], operator, 'not a valid selector operator'), isEnum: true }];
  }
}

/** `validateNamedRuleWithOperations`. */
function validateRule(rule: JsonObject, path: FieldPath): readonly FieldError[] {
  return [
    ...validateResourceNames(textItems(rule.get('resourceNames')), [...path, 'resourceNames']),
    ...validateOperations(textItems(rule.get('operations')), [...path, 'operations']),
    ...validateWildcardList(textItems(rule.get('apiGroups')), [...path, 'apiGroups'], 'API groups'),
    ...validateWildcardList(textItems(rule.get('apiVersions')), [...path, 'apiVersions'], 'API versions'),
    ...textItems(rule.get('apiVersions')).flatMap((version, index) =>
      version === '' ? [required([...path, 'apiVersions', index])] : [],
    ),
    ...validateResources(textItems(rule.get('resources')), [...path, 'resources']),
    ...validateScope(optionalTextField(rule, 'scope') ?? '*', [...path, 'scope']),
  ];
}

function validateResourceNames(names: readonly string[], path: FieldPath): readonly FieldError[] {
  return names.flatMap((name, index) => [
    ...pathSegmentName(name).map((message) => invalid([...path, index], name, message)),
    ...(names.indexOf(name) < index ? [duplicate([...path, index], name)] : []),
  ]);
}

function validateOperations(operations: readonly string[], path: FieldPath): readonly FieldError[] {
  return [
    ...validateWildcardList(operations, path, 'operations'),
    ...operations.flatMap((operation, index) =>
      OPERATIONS.includes(operation) ? [] : [notSupported([...path, index], operation, OPERATIONS)],
    ),
  ];
}

function validateWildcardList(items: readonly string[], path: FieldPath, what: string): readonly FieldError[] {
  if (items.length === 0) return [required(path)];
  if (items.length === 1 || !items.includes('*')) return [];
  return [invalid(path, items, `if '*' is present, must not specify other ${what}`)];
}

function validateScope(scope: string, path: FieldPath): readonly FieldError[] {
  return SCOPES.includes(scope) ? [] : [notSupported(path, scope, SCOPES)];
}

/**
 * `validateResources`. Order matters: `x/*` forbids only a later `x/y`. As upstream, only the last entry without a
 * subresource decides whether `*` conflicts with a plain resource.
 */
function validateResources(resources: readonly string[], path: FieldPath): readonly FieldError[] {
  if (resources.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  const wholeResources = new Set<string>();
  const everySubResource = new Set<string>();
  let plainResource = false;
  for (const [index, entry] of resources.entries()) {
    if (entry === '') {
      errors.push(required([...path, index]));
      continue;
    }
    const slash = entry.indexOf('/');
    if (slash < 0) {
      plainResource = entry !== '*';
      continue;
    }
    const resource = entry.slice(0, slash);
    const subResource = entry.slice(slash + 1);
    const clash = (present: string): FieldError =>
      invalid([...path, index], entry, `if '${present}' is present, must not specify ${entry}`);
    if (wholeResources.has(resource)) errors.push(clash(`${resource}/*`));
    if (everySubResource.has(subResource)) errors.push(clash(`*/${subResource}`));
    if (subResource === '*') wholeResources.add(resource);
    if (resource === '*') everySubResource.add(subResource);
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    errors.push(invalid(path, resources, "if '*/*' is present, must not specify other resources"));
  }
  if (resources.includes('*') && plainResource) {
    const detail = "if '*' is present, must not specify other resources without subresources";
    errors.push(invalid(path, resources, detail));
  }
  return errors;
}
