// Reads MutatingAdmissionPolicy and its binding from any API version into one type, with the API server's defaults.
import type { Resource } from '../../../kubernetes/api/resource.ts';
import { objectField, objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import {
  type AdmissionBinding,
  type AdmissionPolicy,
  readBindingFields,
  readPolicyFields,
} from '../generic/admission-policy.ts';

export interface Mutation {
  /** `ApplyConfiguration`, `JSONPatch`, or any other text as written. */
  readonly patchType: string;
  /** Expression of the field for the patch type. Empty if absent. */
  readonly expression: string;
}

export interface MutatingPolicy extends AdmissionPolicy {
  readonly kind: 'MutatingAdmissionPolicy';
  readonly mutations: readonly Mutation[];
  readonly reinvocationPolicy: 'Never' | 'IfNeeded';
}

export interface MutatingBinding extends AdmissionBinding {
  readonly kind: 'MutatingAdmissionPolicyBinding';
}

/** Lenient: reads fields of a wrong type as absent. Validation reports them. */
export function readMutatingPolicy(resource: Resource): MutatingPolicy {
  const spec = objectOrEmpty(resource.value.get('spec'));
  return {
    kind: 'MutatingAdmissionPolicy',
    ...readPolicyFields(resource),
    mutations: objectItems(spec.get('mutations')).map((mutation) => {
      const patchType = textField(mutation, 'patchType');
      return {
        patchType,
        expression: textField(objectOrEmpty(objectField(mutation, patchField(patchType))), 'expression'),
      };
    }),
    reinvocationPolicy: textField(spec, 'reinvocationPolicy') === 'IfNeeded' ? 'IfNeeded' : 'Never',
  };
}

export function readMutatingBinding(resource: Resource): MutatingBinding {
  return { kind: 'MutatingAdmissionPolicyBinding', ...readBindingFields(resource) };
}

/** The field of a mutation for its patch type. */
export function patchField(patchType: string): 'applyConfiguration' | 'jsonPatch' {
  return patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration';
}
