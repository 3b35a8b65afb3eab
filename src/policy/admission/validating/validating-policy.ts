// Reads ValidatingAdmissionPolicy and its binding from any API version into one type, with the API server's defaults.
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { isJsonArray, type JsonValue } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, optionalTextField, textField } from '../../../source/json/json-field.ts';
import type { ValidationAction } from '../../language/policy.ts';
import {
  type AdmissionBinding,
  type AdmissionPolicy,
  readBindingFields,
  readPolicyFields,
} from '../generic/admission-policy.ts';

export interface Validation {
  readonly expression: string;
  readonly message: string;
  readonly messageExpression: string;
  /** Defaults to Invalid. An empty reason stays empty in decisions. */
  readonly reason: string;
}

export interface AuditAnnotation {
  readonly key: string;
  readonly valueExpression: string;
}

export interface ValidatingPolicy extends AdmissionPolicy {
  readonly kind: 'ValidatingAdmissionPolicy';
  readonly validations: readonly Validation[];
  readonly auditAnnotations: readonly AuditAnnotation[];
}

export interface ValidatingBinding extends AdmissionBinding {
  readonly kind: 'ValidatingAdmissionPolicyBinding';
  readonly validationActions: readonly ValidationAction[];
}

/** Lenient: reads fields of a wrong type as absent. Validation reports them. */
export function readValidatingPolicy(resource: Resource): ValidatingPolicy {
  const spec = objectOrEmpty(resource.value.get('spec'));
  return {
    kind: 'ValidatingAdmissionPolicy',
    ...readPolicyFields(resource),
    validations: objectItems(spec.get('validations')).map((validation) => ({
      expression: textField(validation, 'expression'),
      message: textField(validation, 'message'),
      messageExpression: textField(validation, 'messageExpression'),
      reason: optionalTextField(validation, 'reason') ?? 'Invalid',
    })),
    auditAnnotations: objectItems(spec.get('auditAnnotations')).map((annotation) => ({
      key: textField(annotation, 'key'),
      valueExpression: textField(annotation, 'valueExpression'),
    })),
  };
}

export function readValidatingBinding(resource: Resource): ValidatingBinding {
  const actions = objectOrEmpty(resource.value.get('spec')).get('validationActions');
  return {
    kind: 'ValidatingAdmissionPolicyBinding',
    ...readBindingFields(resource),
    validationActions: isJsonArray(actions) ? actions.filter(isValidationAction) : [],
  };
}

function isValidationAction(value: JsonValue): value is ValidationAction {
  return value === 'Deny' || value === 'Warn' || value === 'Audit';
}
