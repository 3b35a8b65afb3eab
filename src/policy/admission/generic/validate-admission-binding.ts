// The API server's validation of binding fields that both kinds of admission policies share.
import { append } from '../../../go/slices/append.ts';
import { isAtLeast, type KubernetesVersion } from '../../../kubernetes/api/version.ts';
import {
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../../kubernetes/validation/field-error.ts';
import { dns1123Subdomain, pathSegmentName } from '../../../kubernetes/validation/name-format.ts';
import { validateClusterScopedMeta } from '../../../kubernetes/validation/object-meta.ts';
import type { JsonObject } from '../../../source/json/json.ts';
import { objectField, objectOrEmpty, optionalTextField, textField } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { validateLabelSelector, validateMatchResources } from '../../matching/validate-match-resources.ts';
import type { AdmissionBinding } from './admission-policy.ts';

const STATIC_SUFFIX = '.static.k8s.io';

/** Metadata, policyName, paramRef and matchResources, in the server's order. */
export function validateBindingFields(
  { policyName, resource }: AdmissionBinding,
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
  ];
}

/** `ValidateStaticSuffix`: names reserved for policies that the server loads from files, in releases with that feature. */
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
    append(
      errors,
      pathSegmentName(name).map((message) => invalid([...path, 'name'], name, message)),
    );
    if (selector !== undefined) errors.push(exclusive('name'));
  }
  if (selector !== undefined) {
    append(errors, validateLabelSelector(selector, [...path, 'selector']));
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
