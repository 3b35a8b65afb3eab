// The action for a failing rule: the rule's overrides, its action, the policy's overrides, its action (`engineresponse.go`).
import { isJsonArray, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectField, objectItems, textField, textItems } from '../../../source/json/json-field.ts';
import type { ComputedRule } from '../autogen/autogen.ts';
import { isOpenMatch, type MatchAnswer, type NamespaceLabels, type OpenMatch } from '../matching/match-answer.ts';
import { WildcardSelector } from '../matching/resource-filter.ts';
import type { CompiledPolicy } from '../rule/compiled-policy.ts';
import { isEnforce, validationOf } from '../validate/compiled-validation.ts';
import { anyWildcardMatches } from '../value/wildcard.ts';

const ACTIONS: readonly string[] = ['audit', 'enforce', 'Audit', 'Enforce'];

const NO_LABELS: NamespaceLabels = { namespaceLabels: new Map() };

/** The action if it is the same for all objects. Undefined if overrides depend on the Namespace. */
export function fixedEnforcement(policy: CompiledPolicy, rule: ComputedRule): boolean | undefined {
  const lists = [overridesOf(rule.value), policy.spec.get('validationFailureActionOverrides')];
  return lists.some((list) => objectItems(list).length > 0)
    ? undefined
    : isEnforced(policy, rule, '', NO_LABELS) === true;
}

/** True if the policy validates, and no rule has the action Enforce for any object. */
export function neverEnforces({ spec, failureAction }: CompiledPolicy): boolean {
  const rules = objectItems(spec.get('rules'));
  const lists = [spec.get('validationFailureActionOverrides'), ...rules.map((rule) => overridesOf(rule))];
  const actions = lists.flatMap((list) => objectItems(list).map((entry) => textField(entry, 'action')));
  const own = rules.flatMap((rule) => (isValidating(rule) ? [ownAction(rule) ?? failureAction] : []));
  return own.length > 0 && ![...own, ...actions].some(isEnforce);
}

function isValidating(rule: JsonObject): boolean {
  return objectField(rule, 'validate') !== undefined || objectItems(rule.get('verifyImages')).length > 0;
}

function overridesOf(rule: JsonObject): JsonValue | undefined {
  return validationOf(rule).get('failureActionOverrides');
}

function ownAction(rule: JsonObject): string | undefined {
  return (textField(validationOf(rule), 'failureAction') || undefined) ?? imageAction(rule);
}

/**
 * `namespace` is empty for cluster-scoped objects, which only `*` matches. Open if labels that no file contains decide
 * between the actions.
 */
export function isEnforced(
  policy: CompiledPolicy,
  rule: ComputedRule,
  namespace: string,
  labels: NamespaceLabels,
): MatchAnswer {
  const own = ownAction(rule.value);
  const ofPolicy = (): MatchAnswer =>
    overridden(policy.spec.get('validationFailureActionOverrides'), namespace, labels, () =>
      isEnforce(policy.failureAction),
    );
  const otherwise = own === undefined ? ofPolicy : (): MatchAnswer => isEnforce(own);
  return overridden(overridesOf(rule.value), namespace, labels, otherwise);
}

/** For image verification rules: one entry with Enforce is enough. */
function imageAction(rule: JsonObject): string | undefined {
  const actions = objectItems(rule.get('verifyImages')).map((image) => textField(image, 'failureAction'));
  return actions.find(isEnforce) ?? actions.find((action) => action !== '');
}

/** The first override that applies decides. Open only if an override that may apply has another action than the rest. */
function overridden(
  overrides: JsonValue | undefined,
  namespace: string,
  labels: NamespaceLabels,
  otherwise: () => MatchAnswer,
): MatchAnswer {
  const possible: { readonly action: boolean; readonly open: OpenMatch }[] = [];
  let decided: MatchAnswer | undefined;
  for (const entry of objectItems(overrides)) {
    const action = textField(entry, 'action');
    const answer = ACTIONS.includes(action) && applies(entry, namespace, labels);
    if (answer === false) continue;
    if (isOpenMatch(answer)) possible.push({ action: isEnforce(action), open: answer });
    else {
      decided = isEnforce(action);
      break;
    }
  }
  decided ??= otherwise();
  return possible.find(({ action }) => action !== decided)?.open ?? decided;
}

/** An explicit empty list of namespaces matches none. */
function applies(entry: JsonObject, namespace: string, labels: NamespaceLabels): MatchAnswer {
  const selector = objectField(entry, 'namespaceSelector');
  const namespaces = entry.get('namespaces');
  if (isJsonArray(namespaces) && !anyWildcardMatches(textItems(namespaces), namespace)) return false;
  return selector === undefined || new WildcardSelector(selector).matchesNamespace(labels, useOf(entry));
}

/** Labels of its author's choice may lead to Enforce, but not away from it. */
function useOf(override: JsonObject): 'match' | 'exclude' {
  return isEnforce(textField(override, 'action')) ? 'match' : 'exclude';
}

export function failsOnError({ spec, webhookConfiguration }: CompiledPolicy): boolean {
  const own = webhookConfiguration === undefined ? '' : textField(webhookConfiguration, 'failurePolicy');
  return (own || textField(spec, 'failurePolicy') || 'Fail') !== 'Ignore';
}
