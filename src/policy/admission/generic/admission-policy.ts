// Fields that ValidatingAdmissionPolicy and MutatingAdmissionPolicy share, and their bindings.
import type { Resource } from '../../../kubernetes/api/resource.ts';
import type { JsonObject, JsonValue } from '../../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { CompiledExpression } from '../../expression/compiled-expression.ts';
import type { NamedExpression } from '../../expression/variables.ts';
import type { BindingIdentity, PolicyIdentity } from '../../language/policy.ts';
import { type MatchResources, readMatchResources } from '../../matching/match-resources.ts';

export interface ParamKind {
  readonly apiVersion: string;
  readonly kind: string;
}

export interface AdmissionPolicy extends PolicyIdentity {
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly paramKind: ParamKind | undefined;
  readonly matchConstraints: MatchResources | undefined;
  readonly matchConditions: readonly NamedExpression[];
  readonly variables: readonly NamedExpression[];
}

export interface ParamRef {
  readonly name: string;
  readonly namespace: string;
  readonly selector: JsonObject | undefined;
  /** Undefined if not set and not defaulted; treated like Allow (`CollectParams`). */
  readonly parameterNotFoundAction: string | undefined;
}

export interface AdmissionBinding extends BindingIdentity {
  readonly policyName: string;
  readonly paramRef: ParamRef | undefined;
  readonly matchResources: MatchResources | undefined;
}

export interface PlacedExpression {
  readonly path: FieldPath;
  readonly compiled: CompiledExpression;
}

const GROUP = 'admissionregistration.k8s.io';
const VERSIONS: readonly string[] = ['v1', 'v1beta1', 'v1alpha1'];

/** True for objects of the kind in any version ever served. */
export function isAdmissionKind({ gvk }: Resource, kind: string): boolean {
  return gvk.kind === kind && gvk.group === GROUP && VERSIONS.includes(gvk.version);
}

/** Lenient: reads fields of a wrong type as absent. Validation reports them. */
export function readPolicyFields(resource: Resource): Omit<AdmissionPolicy, 'kind'> {
  const spec = objectOrEmpty(resource.value.get('spec'));
  const paramKind = objectField(spec, 'paramKind');
  const matchConstraints = objectField(spec, 'matchConstraints');
  return {
    name: resource.name,
    resource,
    failurePolicy: textField(spec, 'failurePolicy') === 'Ignore' ? 'Ignore' : 'Fail',
    paramKind: paramKind && { apiVersion: textField(paramKind, 'apiVersion'), kind: textField(paramKind, 'kind') },
    matchConstraints: matchConstraints && readMatchResources(matchConstraints),
    matchConditions: namedExpressions(spec.get('matchConditions')),
    variables: namedExpressions(spec.get('variables')),
  };
}

export function readBindingFields(resource: Resource): Omit<AdmissionBinding, 'kind'> {
  const spec = objectOrEmpty(resource.value.get('spec'));
  const paramRef = objectField(spec, 'paramRef');
  const matchResources = objectField(spec, 'matchResources');
  return {
    name: resource.name,
    resource,
    policyName: textField(spec, 'policyName'),
    paramRef: paramRef && readParamRef(paramRef, resource.gvk.version),
    matchResources: matchResources && readMatchResources(matchResources),
  };
}

/** Only v1alpha1 defaults parameterNotFoundAction to Deny (`v1alpha1/defaults.go`). */
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

function namedExpressions(value: JsonValue | undefined): readonly NamedExpression[] {
  return objectItems(value).map((item) => ({
    name: textField(item, 'name'),
    expression: textField(item, 'expression'),
  }));
}
