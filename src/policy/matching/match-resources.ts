// MatchResources: reading matchConstraints and matchResources as the API server defaults them.
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
    matchPolicy: textField(value, 'matchPolicy') || 'Equivalent',
  };
}

/** Policies written after one pattern ask the same: equal criteria become one object, so that each is answered once a request. */
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
