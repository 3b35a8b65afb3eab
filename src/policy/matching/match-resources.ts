// MatchResources: reading matchConstraints and matchResources as the API server defaults them.
import { isEmptySelector, type LabelSelector, readLabelSelector } from '../../kubernetes/label-selector.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../source/json.ts';

export interface NamedRuleWithOperations {
  readonly resourceNames: readonly string[];
  readonly operations: readonly string[];
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly resources: readonly string[];
  readonly scope: string;
}

/** A selector as the matcher meets it: built, or the error that building it gives on every request. */
export type SelectorOrError = LabelSelector | { readonly error: string };

export interface MatchResources {
  readonly namespaceSelector: SelectorOrError;
  readonly objectSelector: SelectorOrError;
  readonly resourceRules: readonly NamedRuleWithOperations[];
  readonly excludeResourceRules: readonly NamedRuleWithOperations[];
  readonly matchPolicy: string;
}

/**
 * With the defaults of `pkg/apis/admissionregistration/v1/defaults.go`: matchPolicy Equivalent, empty selectors, scope `*`.
 * Fields of a wrong type are read as absent; the decoder has already reported them.
 */
export function readMatchResources(value: JsonObject): MatchResources {
  return {
    namespaceSelector: selector(value.get('namespaceSelector')),
    objectSelector: selector(value.get('objectSelector')),
    resourceRules: rules(value.get('resourceRules')),
    excludeResourceRules: rules(value.get('excludeResourceRules')),
    matchPolicy: text(value.get('matchPolicy')) || 'Equivalent',
  };
}

export function selectsEverything(candidate: SelectorOrError): boolean {
  return !('error' in candidate) && isEmptySelector(candidate);
}

function selector(value: JsonValue | undefined): SelectorOrError {
  return readLabelSelector(isJsonObject(value) ? value : new Map());
}

function rules(value: JsonValue | undefined): readonly NamedRuleWithOperations[] {
  if (!isJsonArray(value)) return [];
  return value.filter(isJsonObject).map((rule) => ({
    resourceNames: texts(rule.get('resourceNames')),
    operations: texts(rule.get('operations')),
    apiGroups: texts(rule.get('apiGroups')),
    apiVersions: texts(rule.get('apiVersions')),
    resources: texts(rule.get('resources')),
    scope: text(rule.get('scope')) || '*',
  }));
}

function texts(value: JsonValue | undefined): readonly string[] {
  return isJsonArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
