// The API server's validation of a ValidatingAdmissionPolicyBinding (`validateValidatingAdmissionPolicyBinding`).

import type { KubernetesVersion } from '../../../kubernetes/api/version.ts';
import {
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
} from '../../../kubernetes/validation/field-error.ts';
import { isJsonArray, type JsonValue } from '../../../source/json/json.ts';
import { objectOrEmpty, textItems } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { validateBindingFields, validateSuffix } from '../generic/validate-admission-binding.ts';
import type { ValidatingBinding } from './validating-policy.ts';

const VALIDATION_ACTIONS: readonly string[] = ['Audit', 'Deny', 'Warn'];
const DENY_AND_WARN =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';

/** In the server's order. */
export function validateBinding(binding: ValidatingBinding, version: KubernetesVersion): readonly FieldError[] {
  const { resource } = binding;
  const spec = objectOrEmpty(resource.value.get('spec'));
  return [
    ...validateBindingFields(binding, version),
    ...validateActions(spec.get('validationActions'), ['spec', 'validationActions']),
    ...validateSuffix(resource.name, version),
  ];
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
