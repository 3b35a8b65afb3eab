// What a failing rule leads to: overrides of the rule, the rule's action, overrides of the policy, its action (`engineresponse.go`).
import type { Labels } from '../../../kubernetes/selector/label-selector.ts';
import { isJsonArray, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectField, objectItems, textField, textItems } from '../../../source/json/json-field.ts';
import type { ComputedRule } from '../autogen/autogen.ts';
import { WildcardSelector } from '../matching/resource-filter.ts';
import type { CompiledPolicy } from '../rule/compiled-policy.ts';
import { isEnforce, validationOf } from '../validate/compiled-validation.ts';
import { anyWildcardMatches } from '../value/wildcard.ts';

const ACTIONS: readonly string[] = ['audit', 'enforce', 'Audit', 'Enforce'];

/** The same for all objects; undefined where overrides go by their Namespace. */
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

/** Of rules that ask for signatures: one entry that enforces is enough. */
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

/** A list of namespaces that is written and empty holds none. */
function applies(entry: JsonObject, namespace: string, labels: Labels): boolean {
  const selector = objectField(entry, 'namespaceSelector');
  const namespaces = entry.get('namespaces');
  if (isJsonArray(namespaces) && !anyWildcardMatches(textItems(namespaces), namespace)) return false;
  return selector === undefined || new WildcardSelector(selector).matches(labels);
}

/** Whether an error of the policy blocks. */
export function failsOnError({ spec, webhookConfiguration }: CompiledPolicy): boolean {
  const own = webhookConfiguration === undefined ? '' : textField(webhookConfiguration, 'failurePolicy');
  return (own || textField(spec, 'failurePolicy') || 'Fail') !== 'Ignore';
}
