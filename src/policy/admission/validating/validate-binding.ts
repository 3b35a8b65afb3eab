// What the API server refuses in a ValidatingAdmissionPolicyBinding (`validateValidatingAdmissionPolicyBinding`).
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../../kubernetes/field-error.ts';
import { dns1123Subdomain, pathSegmentName } from '../../../kubernetes/name-format.ts';
import { validateClusterScopedMeta } from '../../../kubernetes/object-meta.ts';
import { isAtLeast, type KubernetesVersion } from '../../../kubernetes/version.ts';
import type { FieldPath } from '../../../source/field-path.ts';
import { isJsonArray, type JsonObject, type JsonValue } from '../../../source/json.ts';
import { objectField, objectOrEmpty, optionalTextField, textField, textItems } from '../../../source/json-field.ts';
import { validateLabelSelector, validateMatchResources } from '../../matching/validate-match-resources.ts';
import type { ValidatingBinding } from './validating-policy.ts';

const VALIDATION_ACTIONS: readonly string[] = ['Audit', 'Deny', 'Warn'];
const STATIC_SUFFIX = '.static.k8s.io';
const DENY_AND_WARN =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';

/** In the server's order. */
export function validateBinding(
  { policyName, resource }: ValidatingBinding,
  version: KubernetesVersion,
): readonly FieldError[] {
  const spec = objectOrEmpty(resource.value.get('spec'));
  const paramRef = objectField(spec, 'paramRef');
  const matchResources = objectField(spec, 'matchResources');
  const matchPath = isAtLeast(version, '1.32') ? 'matchResources' : 'matchResouces';
  return [
    ...validateClusterScopedMeta(resource.value, dns1123Subdomain),
    ...(policyName === ''
      ? [required(['spec', 'policyName'])]
      : dns1123Subdomain(policyName).map((message) => invalid(['spec', 'policyName'], policyName, message))),
    ...(paramRef === undefined ? [] : validateParamRef(paramRef, ['spec', 'paramRef'], resource.gvk.version)),
    ...(matchResources === undefined ? [] : validateMatchResources(matchResources, ['spec', matchPath], version)),
    ...validateActions(spec.get('validationActions'), ['spec', 'validationActions']),
    ...validateSuffix(resource.name, version),
  ];
}

/** `ValidateStaticSuffix`: names that belong to policies read from files, once the server knows such. */
export function validateSuffix(name: string, version: KubernetesVersion): readonly FieldError[] {
  if (!isAtLeast(version, '1.37') || !name.endsWith(STATIC_SUFFIX)) return [];
  const detail = `names ending with "${STATIC_SUFFIX}" are reserved for static manifest-based configurations and cannot be managed via the API`;
  return [invalid(['metadata', 'name'], name, detail)];
}

function validateParamRef(paramRef: JsonObject, path: FieldPath, version: string): readonly FieldError[] {
  const name = textField(paramRef, 'name');
  const selector = objectField(paramRef, 'selector');
  const action = optionalTextField(paramRef, 'parameterNotFoundAction');
  const exclusive = (field: string): FieldError =>
    forbidden([...path, field], 'name and selector are mutually exclusive');
  const errors: FieldError[] = [];
  if (name !== '') {
    errors.push(...pathSegmentName(name).map((message) => invalid([...path, 'name'], name, message)));
    if (selector !== undefined) errors.push(exclusive('name'));
  }
  if (selector !== undefined) {
    errors.push(...validateLabelSelector(selector, [...path, 'selector']));
    if (name !== '') errors.push(exclusive('selector'));
  }
  if (name === '' && selector === undefined) {
    errors.push(required(path, 'one of name or selector must be specified'));
  }
  const actionPath = [...path, 'parameterNotFoundAction'];
  if (action === undefined || action === '') {
    const isDefaulted = action === undefined && version === 'v1alpha1';
    if (!isDefaulted) errors.push(required(actionPath));
  } else if (action !== 'Deny' && action !== 'Allow') {
    errors.push(notSupported(actionPath, action, ['Deny', 'Allow']));
  }
  return errors;
}

function validateActions(value: JsonValue | undefined, path: FieldPath): readonly FieldError[] {
  const actions = textItems(value);
  const errors = actions.flatMap((action, index) => [
    ...(VALIDATION_ACTIONS.includes(action) ? [] : [notSupported([...path, index], action, VALIDATION_ACTIONS)]),
    ...(actions.indexOf(action) < index ? [{ ...duplicate([...path, index], action), isEnum: true as const }] : []),
  ]);
  if (actions.includes('Deny') && actions.includes('Warn')) {
    errors.push(invalid(path, isJsonArray(value) ? value : actions, DENY_AND_WARN));
  }
  if (actions.length === 0) errors.push(required(path, 'at least one validation action is required'));
  return errors;
}
