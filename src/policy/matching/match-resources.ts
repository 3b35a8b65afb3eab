// Reads matchConstraints and matchResources with the API server's defaults.
import { type LabelSelector, readLabelSelector } from '../../kubernetes/selector/label-selector.ts';
import type { JsonObject, JsonValue } from '../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../../source/json/json-field.ts';

export interface NamedRuleWithOperations {
  readonly resourceNames: readonly string[];
  readonly operations: readonly string[];
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly resources: readonly string[];
  readonly scope: string;
}

/** A parsed selector, or the error that it causes on every request. */
export type SelectorOrError = LabelSelector | { readonly error: string };

export interface MatchResources {
  readonly namespaceSelector: SelectorOrError;
  readonly objectSelector: SelectorOrError;
  readonly resourceRules: readonly NamedRuleWithOperations[];
  readonly excludeResourceRules: readonly NamedRuleWithOperations[];
  readonly matchPolicy: string;
}

/**
 * Defaults as in `pkg/apis/admissionregistration/v1/defaults.go`: matchPolicy Equivalent, empty selectors, scope `*`.
 * Fields of a wrong type count as absent; the decoder reports them.
 */
export function readMatchResources(value: JsonObject): MatchResources {
  return {
    namespaceSelector: selector(value.get('namespaceSelector')),
    objectSelector: selector(value.get('objectSelector')),
    resourceRules: rules(value.get('resourceRules')),
    excludeResourceRules: rules(value.get('excludeResourceRules')),
    matchPolicy: textField(value, 'matchPolicy') || 'Equivalent',
  };
}

/** Policies often repeat the same criteria. Equal criteria share one object, so each is evaluated once per request. */
export class SharedMatchResources {
  readonly #known = new Map<string, MatchResources>();

  share(criteria: MatchResources): MatchResources {
    const key = JSON.stringify(criteria);
    const known = this.#known.get(key) ?? criteria;
    this.#known.set(key, known);
    return known;
  }
}

function selector(value: JsonValue | undefined): SelectorOrError {
  return readLabelSelector(objectOrEmpty(value));
}

function rules(value: JsonValue | undefined): readonly NamedRuleWithOperations[] {
  return objectItems(value).map((rule) => ({
    resourceNames: textItems(rule.get('resourceNames')),
    operations: textItems(rule.get('operations')),
    apiGroups: textItems(rule.get('apiGroups')),
    apiVersions: textItems(rule.get('apiVersions')),
    resources: textItems(rule.get('resources')),
    scope: textField(rule, 'scope') || '*',
  }));
}
