// The action for a failing rule: the rule's overrides, its action, the policy's overrides, its action (`engineresponse.go`).
import type { Labels } from '../../../kubernetes/selector/label-selector.ts';
import { isJsonArray, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectField, objectItems, textField, textItems } from '../../../source/json/json-field.ts';
import type { ComputedRule } from '../autogen/autogen.ts';
import { WildcardSelector } from '../matching/resource-filter.ts';
import type { CompiledPolicy } from '../rule/compiled-policy.ts';
import { isEnforce, validationOf } from '../validate/compiled-validation.ts';
import { anyWildcardMatches } from '../value/wildcard.ts';

const ACTIONS: readonly string[] = ['audit', 'enforce', 'Audit', 'Enforce'];

/** The action if it is the same for all objects. Undefined if overrides depend on the Namespace. */
export function fixedEnforcement(policy: CompiledPolicy, rule: ComputedRule): boolean | undefined {
  const lists = [
    validationOf(rule.value).get('failureActionOverrides'),
    policy.spec.get('validationFailureActionOverrides'),
  ];
  return lists.some((list) => objectItems(list).length > 0) ? undefined : isEnforced(policy, rule, '', new Map());
}

/** `namespace` is empty for cluster-scoped objects, which only `*` matches. */
export function isEnforced(policy: CompiledPolicy, rule: ComputedRule, namespace: string, labels: Labels): boolean {
  const validation = validationOf(rule.value);
  const action =
    override(validation.get('failureActionOverrides'), namespace, labels) ??
    (textField(validation, 'failureAction') || undefined) ??
    imageAction(rule.value) ??
    override(policy.spec.get('validationFailureActionOverrides'), namespace, labels) ??
    policy.failureAction;
  return isEnforce(action);
}

/** For image verification rules: one entry with Enforce is enough. */
function imageAction(rule: JsonObject): string | undefined {
  const actions = objectItems(rule.get('verifyImages')).map((image) => textField(image, 'failureAction'));
  return actions.find(isEnforce) ?? actions.find((action) => action !== '');
}

function override(overrides: JsonValue | undefined, namespace: string, labels: Labels): string | undefined {
  for (const entry of objectItems(overrides)) {
    const action = textField(entry, 'action');
    if (ACTIONS.includes(action) && applies(entry, namespace, labels)) return action;
  }
  return undefined;
}

/** An explicit empty list of namespaces matches none. */
function applies(entry: JsonObject, namespace: string, labels: Labels): boolean {
  const selector = objectField(entry, 'namespaceSelector');
  const namespaces = entry.get('namespaces');
  if (isJsonArray(namespaces) && !anyWildcardMatches(textItems(namespaces), namespace)) return false;
  return selector === undefined || new WildcardSelector(selector).matches(labels);
}

export function failsOnError({ spec, webhookConfiguration }: CompiledPolicy): boolean {
  const own = webhookConfiguration === undefined ? '' : textField(webhookConfiguration, 'failurePolicy');
  return (own || textField(spec, 'failurePolicy') || 'Fail') !== 'Ignore';
}
