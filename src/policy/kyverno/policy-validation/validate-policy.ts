// Decides whether Kyverno accepts a policy. The first problem decides, as in its webhook (`pkg/validation/policy/validate.go`).

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import {
  objectField,
  objectItems,
  objectOrEmpty,
  textField,
  textItems,
  valueAt,
} from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { type ComputedRule, computeRules, hasContent } from '../autogen/autogen.ts';
import { checkActions } from './check-actions.ts';
import { checkFiltersAndConditions } from './check-conditions.ts';
import { checkContext } from './check-context.ts';
import { checkDecoding } from './check-decoding.ts';
import { checkFields } from './check-fields.ts';
import type { KindScope } from './check-generation.ts';
import { checkImages } from './check-images.ts';
import { checkOverrides } from './check-overrides.ts';
import { checkPatches } from './check-patches.ts';
import { checkElements, checkOnPolicyUpdate, checkVariables } from './check-variables.ts';
import { onlyAboutMetadata, wildcardProblem } from './check-wildcard-kind.ts';
import { type Refusal, refusal, refusalOf } from './refusal.ts';

/** Kyverno's CLI has no cluster and assumes that every kind is namespaced. */
const ALL_NAMESPACED: KindScope = () => 'namespaced';

/** Undefined if accepted. Facts that only a cluster knows are assumed to be valid. `scopeOf` returns the known scope of a kind. */
export function refusalOfPolicy(policy: JsonObject, scopeOf = ALL_NAMESPACED): Refusal | undefined {
  const metadata = objectOrEmpty(policy.get('metadata'));
  const spec = objectOrEmpty(policy.get('spec'));
  const undecodable = checkDecoding(spec);
  if (undecodable !== undefined) return undecodable;
  const isNamespaced = textField(policy, 'kind') === 'Policy';
  const namespace = textField(metadata, 'namespace');
  if (!isNamespaced && namespace !== '') {
    return refusal('A clusterpolicy should not have the namespace defined', ['metadata', 'namespace']);
  }
  const isBackground = spec.get('background') !== false;
  const fields = (): Refusal | undefined =>
    refusalOf(checkFields(policy, isNamespaced ? namespace : undefined, scopeOf));
  const rules = computeRules(policy, undefined);
  return (
    checkVariables(policy, isBackground) ??
    fields() ??
    (isNamespaced ? undefined : checkOverrides(spec)) ??
    checkProcessing(spec, isBackground) ??
    checkKinds(rules, isBackground) ??
    checkRules(policy, rules)
  );
}

function checkProcessing(spec: JsonObject, isBackground: boolean): Refusal | undefined {
  if (spec.get('admission') !== false) return undefined;
  if (!isBackground) {
    return refusal('disabling both admission and background processing is not allowed', ['spec', 'admission']);
  }
  const others = objectItems(spec.get('rules')).some((rule) => {
    return hasContent(rule.get('mutate')) || hasContent(rule.get('generate')) || isJsonArray(rule.get('verifyImages'));
  });
  if (!others) return undefined;
  return refusal('disabling admission processing is only allowed with validation policies', ['spec', 'admission']);
}

function checkKinds(rules: readonly ComputedRule[], isBackground: boolean): Refusal | undefined {
  for (const [index, { value: rule, index: written }] of rules.entries()) {
    for (const side of ['match', 'exclude'] as const) {
      const block = objectField(rule, side);
      if (block === undefined) continue;
      for (const { at, filter } of filtersOf(block)) {
        const kinds = textItems(objectOrEmpty(filter.get('resources')).get('kinds'));
        const problem = wildcardProblem(kinds, isBackground, rule);
        if (problem === undefined) continue;
        const place = `spec.rules[${index}].${side}${at.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')}`;
        const path = ['spec', 'rules', written, side, ...at, 'resources', 'kinds'];
        return refusal(`path: ${place}.kinds: ${problem}`, path);
      }
    }
  }
  return undefined;
}

interface PlacedFilter {
  readonly at: FieldPath;
  readonly filter: JsonObject;
}

function filtersOf(block: JsonObject): readonly PlacedFilter[] {
  const listed = (['any', 'all'] as const).flatMap((form) =>
    objectItems(block.get(form)).map((filter, index): PlacedFilter => ({ at: [form, index], filter })),
  );
  return [...listed, { at: [], filter: block }];
}

function checkRules(policy: JsonObject, rules: readonly ComputedRule[]): Refusal | undefined {
  const spec = objectOrEmpty(policy.get('spec'));
  for (const [index, { value: rule, index: written }] of rules.entries()) {
    const path: FieldPath = ['spec', 'rules', written];
    const found = checkRule(rule, index, path, spec) ?? checkUpdate(policy, spec, rule);
    if (found !== undefined) return found.message === '' ? undefined : found;
  }
  return undefined;
}

function checkRule(rule: JsonObject, index: number, path: FieldPath, spec: JsonObject): Refusal | undefined {
  const patches = checkPatches(rule, index);
  if (patches !== undefined) return refusal(patches, [...path, 'mutate', 'patchesJson6902']);
  const resources = checkFiltersAndConditions(rule);
  if (resources !== undefined) {
    return refusal(`path: spec.rules[${index}].${resources.at}: ${resources.message}`, [...path, ...resources.path]);
  }
  const element = checkElements(rule);
  if (element !== undefined) return refusal(element.message, [...path, ...element.path]);
  const context = checkContext(rule);
  if (context !== undefined) {
    const at = context.index === undefined ? [] : [context.index];
    return refusal(`path: spec.rules[${index}]: ${context.message}`, [...path, 'context', ...at]);
  }
  const kinds = checkKindsGiven(rule);
  if (kinds !== undefined) return refusal(kinds.message, [...path, ...kinds.path]);
  const actions = checkActions(rule);
  if (actions !== undefined) {
    const place = actions.standsAlone ? '' : `path: spec.rules[${index}].${actions.at}: `;
    const message = `${place}${actions.message}`;
    return refusal(message, [...path, ...actions.path]);
  }
  const images = refusalOf(checkImages(rule, textField(spec, 'validationFailureAction'), index, path));
  if (images !== undefined) return images;
  if (hasStringLabels(rule)) return undefined;
  const message =
    'labels and annotations supports only string values, "use double quotes around the non string values"';
  return refusal(message, path);
}

function checkUpdate(policy: JsonObject, spec: JsonObject, rule: JsonObject): Refusal | undefined {
  const mutation = objectOrEmpty(rule.get('mutate'));
  if (!hasContent(mutation)) return undefined;
  const own = mutation.get('mutateExistingOnPolicyUpdate');
  const mutates = typeof own === 'boolean' ? own : spec.get('mutateExistingOnPolicyUpdate') === true;
  return mutates ? checkOnPolicyUpdate(policy) : undefined;
}

/** A filter without kinds is rejected regardless of its other fields. */
function checkKindsGiven(rule: JsonObject): { readonly message: string; readonly path: FieldPath } | undefined {
  const match = objectOrEmpty(rule.get('match'));
  const form = (['any', 'all'] as const).find((each) => objectItems(match.get(each)).length > 0);
  const filters = form === undefined ? [match] : objectItems(match.get(form));
  const bare = filters.findIndex(
    (filter) => textItems(objectOrEmpty(filter.get('resources')).get('kinds')).length === 0,
  );
  if (bare < 0) return undefined;
  const message = onlyAboutMetadata(rule)
    ? 'at least one element must be specified in a kind block, the kind attribute is mandatory when working with the resources element'
    : 'policy can only deal with the metadata field of the resource if the rule does not match any kind';
  return { message, path: form === undefined ? ['match'] : ['match', form, bare] };
}

/** Checks only the first pattern of a list, like upstream. */
function hasStringLabels(rule: JsonObject): boolean {
  const validation = objectOrEmpty(rule.get('validate'));
  if (hasContent(validation)) {
    const loops = validation.get('foreach');
    if (isJsonArray(loops)) {
      const first = objectItems(loops).find((loop) => isJsonObject(loop.get('pattern')));
      if (first !== undefined) return labelsAreText(objectOrEmpty(first.get('pattern')));
    } else if (isJsonObject(validation.get('pattern'))) return labelsAreText(objectOrEmpty(validation.get('pattern')));
    else if (!objectItems(validation.get('anyPattern')).every(labelsAreText)) return false;
  }
  const mutation = objectOrEmpty(rule.get('mutate'));
  if (!hasContent(mutation)) return true;
  const loops = mutation.get('foreach');
  if (!isJsonArray(loops)) return labelsAreText(objectOrEmpty(mutation.get('patchStrategicMerge')));
  const first = objectItems(loops).find((loop) => isJsonObject(loop.get('patchStrategicMerge')));
  return first === undefined || labelsAreText(objectOrEmpty(first.get('patchStrategicMerge')));
}

function labelsAreText(pattern: JsonObject): boolean {
  const own = pattern.get('metadata');
  const metadata = isJsonObject(own) ? own : valueAt(pattern, ['spec', 'template', 'metadata']);
  return ['labels', 'annotations'].every((name) => {
    const values = objectOrEmpty(metadata).get(name);
    return !isJsonObject(values) || [...values.values()].every((value: JsonValue) => typeof value === 'string');
  });
}
