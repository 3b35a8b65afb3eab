// ValidatingAdmissionPolicy and its binding, read from any API version into one shape with the API server's defaults.
import type { Resource } from '../../kubernetes/resource.ts';
import { isJsonArray, type JsonObject, type JsonValue } from '../../source/json.ts';
import { objectField, objectItems, objectOrEmpty, optionalTextField, textField } from '../../source/json-field.ts';
import { type MatchResources, readMatchResources } from '../matching/match-resources.ts';
import type { BindingIdentity, PolicyIdentity, ValidationAction } from '../policy.ts';

export interface ParamKind {
  readonly apiVersion: string;
  readonly kind: string;
}

export interface NamedExpression {
  readonly name: string;
  readonly expression: string;
}

export interface Validation {
  readonly expression: string;
  readonly message: string;
  readonly messageExpression: string;
  /** Invalid where the policy names none; one that is written empty stays so in decisions. */
  readonly reason: string;
}

export interface AuditAnnotation {
  readonly key: string;
  readonly valueExpression: string;
}

export interface ValidatingPolicy extends PolicyIdentity {
  readonly kind: 'ValidatingAdmissionPolicy';
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly paramKind: ParamKind | undefined;
  readonly matchConstraints: MatchResources | undefined;
  readonly matchConditions: readonly NamedExpression[];
  readonly variables: readonly NamedExpression[];
  readonly validations: readonly Validation[];
  readonly auditAnnotations: readonly AuditAnnotation[];
}

export interface ParamRef {
  readonly name: string;
  readonly namespace: string;
  readonly selector: JsonObject | undefined;
  /** Undefined as in an undefaulted object; treated like Allow (`CollectParams`). */
  readonly parameterNotFoundAction: string | undefined;
}

export interface ValidatingBinding extends BindingIdentity {
  readonly kind: 'ValidatingAdmissionPolicyBinding';
  readonly policyName: string;
  readonly paramRef: ParamRef | undefined;
  readonly matchResources: MatchResources | undefined;
  readonly validationActions: readonly ValidationAction[];
}

const GROUP = 'admissionregistration.k8s.io';
const VERSIONS: readonly string[] = ['v1', 'v1beta1', 'v1alpha1'];

export function isValidatingPolicy({ gvk }: Resource): boolean {
  return gvk.group === GROUP && VERSIONS.includes(gvk.version) && gvk.kind === 'ValidatingAdmissionPolicy';
}

export function isValidatingBinding({ gvk }: Resource): boolean {
  return gvk.group === GROUP && VERSIONS.includes(gvk.version) && gvk.kind === 'ValidatingAdmissionPolicyBinding';
}

/** Lenient: what has the wrong type is read as absent, as validation (not reading) reports it. */
export function readValidatingPolicy(resource: Resource): ValidatingPolicy {
  const spec = objectOrEmpty(resource.value.get('spec'));
  const paramKind = objectField(spec, 'paramKind');
  const matchConstraints = objectField(spec, 'matchConstraints');
  return {
    kind: 'ValidatingAdmissionPolicy',
    name: resource.name,
    resource,
    failurePolicy: textField(spec, 'failurePolicy') === 'Ignore' ? 'Ignore' : 'Fail',
    paramKind: paramKind && { apiVersion: textField(paramKind, 'apiVersion'), kind: textField(paramKind, 'kind') },
    matchConstraints: matchConstraints && readMatchResources(matchConstraints),
    matchConditions: namedExpressions(spec.get('matchConditions')),
    variables: namedExpressions(spec.get('variables')),
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
  const spec = objectOrEmpty(resource.value.get('spec'));
  const paramRef = objectField(spec, 'paramRef');
  const matchResources = objectField(spec, 'matchResources');
  const actions = spec.get('validationActions');
  return {
    kind: 'ValidatingAdmissionPolicyBinding',
    name: resource.name,
    resource,
    policyName: textField(spec, 'policyName'),
    paramRef: paramRef && readParamRef(paramRef, resource.gvk.version),
    matchResources: matchResources && readMatchResources(matchResources),
    validationActions: isJsonArray(actions) ? actions.filter(isValidationAction) : [],
  };
}

/** parameterNotFoundAction defaults to Deny in v1alpha1 only (`v1alpha1/defaults.go`). */
function readParamRef(value: JsonObject, version: string): ParamRef {
  const action = textField(value, 'parameterNotFoundAction');
  const defaultAction = version === 'v1alpha1' ? 'Deny' : undefined;
  return {
    name: textField(value, 'name'),
    namespace: textField(value, 'namespace'),
    selector: objectField(value, 'selector'),
    parameterNotFoundAction: action === '' ? defaultAction : action,
  };
}

function isValidationAction(value: JsonValue): value is ValidationAction {
  return value === 'Deny' || value === 'Warn' || value === 'Audit';
}

function namedExpressions(value: JsonValue | undefined): readonly NamedExpression[] {
  return objectItems(value).map((item) => ({
    name: textField(item, 'name'),
    expression: textField(item, 'expression'),
  }));
}
