// Validates a policy's fields and returns all errors (`api/kyverno/v1`: `ClusterPolicy.Validate`).
import { append } from '../../../go/slices/append.ts';
import { readLabelSelector } from '../../../kubernetes/selector/label-selector.ts';
import { type FieldError, forbidden, invalid, required, tooLong } from '../../../kubernetes/validation/field-error.ts';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '../../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField, textItems } from '../../../source/json/json-field.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import { hasContent } from '../autogen/autogen.ts';
import { containsWildcard, matchesWildcard } from '../value/wildcard.ts';
import { checkGeneration, type KindScope } from './check-generation.ts';
import { ruleAsKyvernoPrintsIt } from './rule-text.ts';

/** `namespace`: a Policy's namespace; undefined for a ClusterPolicy. */
export function checkFields(
  policy: JsonObject,
  namespace: string | undefined,
  scopeOf: KindScope,
): readonly FieldError[] {
  const metadata = objectOrEmpty(policy.get('metadata'));
  const spec = objectOrEmpty(policy.get('spec'));
  const errors: FieldError[] = [];
  const annotations = objectOrEmpty(metadata.get('annotations'));
  if (annotations.get('pod-policies.kyverno.io/autogen-controllers') === 'all') {
    const detail =
      "Autogen annotation does not support 'all' anymore, remove the annotation or set it to a valid value";
    errors.push(forbidden(['metadata', 'annotations'], detail));
  }
  if (textField(metadata, 'name').length > 63) errors.push(tooLong(['name'], 63));
  append(errors, checkSpec(spec));
  const rules = objectItems(spec.get('rules'));
  const names = new Set<string>();
  for (const [index, rule] of rules.entries()) {
    const name = textField(rule, 'name');
    if (names.has(name)) {
      const path = ['spec', 'rules', index, 'name'];
      errors.push(invalid(path, ruleAsKyvernoPrintsIt(rule), `Duplicate rule name: '${name}'`));
    }
    names.add(name);
  }
  for (const [index, rule] of rules.entries())
    append(errors, checkRule(rule, ['spec', 'rules', index], namespace, scopeOf));
  if (namespace !== undefined && objectItems(spec.get('validationFailureActionOverrides')).length > 0) {
    const detail = 'Use of validationFailureActionOverrides is supported only with ClusterPolicy';
    errors.push(forbidden(['spec', 'validationFailureActionOverrides'], detail));
  }
  return errors;
}

function checkSpec(spec: JsonObject): readonly FieldError[] {
  const errors: FieldError[] = [];
  const webhook = objectOrEmpty(spec.get('webhookConfiguration'));
  const isSet = (object: JsonObject, name: string): boolean => (object.get(name) ?? null) !== null;
  const replaced = (name: string, replacement: string): void => {
    errors.push(forbidden(['spec', name], `remove the deprecated field and use ${replacement} instead`));
  };
  if (isSet(spec, 'webhookTimeoutSeconds') && isSet(webhook, 'timeoutSeconds')) {
    replaced('webhookTimeoutSeconds', 'spec.webhookConfiguration.timeoutSeconds');
  }
  if (isSet(spec, 'failurePolicy') && isSet(webhook, 'failurePolicy')) {
    replaced('failurePolicy', 'spec.webhookConfiguration.failurePolicy');
  }
  if (isSet(spec, 'generateExistingOnPolicyUpdate')) {
    replaced('generateExistingOnPolicyUpdate', 'spec.generate[*].generateExisting');
  }
  for (const [index, rule] of objectItems(spec.get('rules')).entries()) {
    const mutation = objectOrEmpty(rule.get('mutate'));
    const mutatesExisting =
      spec.get('mutateExistingOnPolicyUpdate') === true || mutation.get('mutateExistingOnPolicyUpdate') === true;
    if (!hasContent(mutation) || !mutatesExisting || objectItems(mutation.get('targets')).length > 0) continue;
    const detail = `rules[${index}].mutate.targets has to be specified when mutateExistingOnPolicyUpdate is set`;
    errors.push(forbidden(['spec', 'mutateExistingOnPolicyUpdate'], detail));
  }
  const timeouts: readonly (readonly [FieldPath, JsonValue | undefined])[] = [
    [['spec', 'webhookTimeoutSeconds'], spec.get('webhookTimeoutSeconds')],
    [['spec', 'webhookConfiguration', 'timeoutSeconds'], webhook.get('timeoutSeconds')],
  ];
  for (const [path, seconds] of timeouts) {
    if (typeof seconds !== 'bigint' || (seconds >= 1n && seconds <= 30n)) continue;
    errors.push(invalid(path, seconds, 'the timeout value must be between 1 and 30 seconds'));
  }
  return errors;
}

function checkRule(
  rule: JsonObject,
  path: FieldPath,
  namespace: string | undefined,
  scopeOf: KindScope,
): readonly FieldError[] {
  const errors: FieldError[] = [];
  const isNamespaced = namespace !== undefined;
  const shown = ruleAsKyvernoPrintsIt(rule);
  const name = textField(rule, 'name');
  const types = ['mutate', 'validate', 'generate'].filter((type) => hasContent(rule.get(type)));
  const images = rule.get('verifyImages');
  const count = types.length + (isJsonArray(images) && images.length > 0 ? 1 : 0);
  if (count === 0) {
    const detail = `No operation defined in the rule '${name}'.(supported operations: mutate,validate,generate,verifyImages)`;
    errors.push(invalid(path, shown, detail));
  } else if (count > 1) {
    const detail = `Multiple operations defined in the rule '${name}', only one operation (mutate,validate,generate,verifyImages) is allowed per rule`;
    errors.push(invalid(path, shown, detail));
  }
  const match = objectOrEmpty(rule.get('match'));
  const exclude = objectField(rule, 'exclude');
  if (exclude !== undefined && cancelOut(match, exclude)) {
    errors.push(invalid(path, shown, 'Rule is matching an empty set'));
  }
  append(errors, checkBlock(match, [...path, 'match'], isNamespaced));
  if (exclude !== undefined) append(errors, checkBlock(exclude, [...path, 'exclude'], isNamespaced));
  if (isNamespaced) {
    for (const [index, target] of objectItems(objectOrEmpty(rule.get('mutate')).get('targets')).entries()) {
      const own = textField(target, 'namespace');
      if (own === '' || own === namespace) continue;
      const detail =
        'This field can be ignored or should have value of the namespace where the policy is being created';
      errors.push(invalid([...path, 'targets', index, 'namespace'], own, detail));
    }
  }
  append(errors, checkPodSecurity(objectOrEmpty(rule.get('validate')), path));
  if (hasContent(rule.get('generate'))) {
    append(errors, checkGeneration(objectOrEmpty(rule.get('generate')), path, namespace, scopeOf));
  }
  return errors;
}

function checkBlock(block: JsonObject, path: FieldPath, isNamespaced: boolean): readonly FieldError[] {
  const [any, all] = [objectItems(block.get('any')), objectItems(block.get('all'))];
  const errors: FieldError[] = [];
  if (any.length > 0 && all.length > 0) errors.push(invalid(path, block, "Can't specify any and all together"));
  for (const [form, filters] of [
    ['any', any],
    ['all', all],
  ] as const) {
    for (const [index, filter] of filters.entries()) {
      append(errors, checkFilter(filter, [...path, form, index], isNamespaced));
    }
  }
  append(errors, checkFilter(block, path, isNamespaced));
  return errors;
}

/** Upstream's paths omit `resources` for its fields. */
function checkFilter(filter: JsonObject, path: FieldPath, isNamespaced: boolean): readonly FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, subject] of objectItems(filter.get('subjects')).entries()) {
    const at = [...path, 'subjects', index];
    const kind = textField(subject, 'kind');
    if (kind === '') errors.push(required([...at, 'kind']));
    else if (!['User', 'Group', 'ServiceAccount'].includes(kind)) {
      errors.push(invalid([...at, 'kind'], kind, "kind must be 'User', 'Group', or 'ServiceAccount'"));
    }
    if (textField(subject, 'name') === '') errors.push(required([...at, 'name']));
    if (kind === 'ServiceAccount' && textField(subject, 'namespace') === '') {
      errors.push(required([...at, 'namespace'], 'namespace is required when Kind is ServiceAccount'));
    }
  }
  for (const [index, role] of textItems(filter.get('roles')).entries()) {
    if (role.split(':').length === 2) continue;
    errors.push(invalid([...path, 'roles', index], role, 'Role is expected to be in namespace:name format'));
  }
  const resources = objectOrEmpty(filter.get('resources'));
  if (textField(resources, 'name') !== '' && textItems(resources.get('names')).length > 0) {
    errors.push(invalid(path, resources, 'Both name and names can not be specified together'));
  }
  const selector = objectField(resources, 'selector');
  if (selector !== undefined && !hasWildcards(selector)) {
    const read = readLabelSelector(selector);
    const at = [...path, 'selector'];
    if ('error' in read) errors.push(invalid(at, selector, read.error));
    else if (read.requirements.length === 0) {
      errors.push(invalid(at, selector, 'The requirements are not specified in selector'));
    }
  }
  if (isNamespaced && textItems(resources.get('namespaces')).length > 0) {
    errors.push(forbidden([...path, 'namespaces'], 'Filtering namespaces not allowed in namespaced policies'));
  }
  return errors;
}

function hasWildcards(selector: JsonObject): boolean {
  return [...objectOrEmpty(selector.get('matchLabels'))].some(
    ([key, value]) => containsWildcard(key) || (typeof value === 'string' && containsWildcard(value)),
  );
}

const CONTAINER_CONTROLS = [
  'Capabilities',
  'Privileged Containers',
  'Host Ports',
  '/proc Mount Type',
  'Privilege Escalation',
];
const POD_CONTROLS = ['Host Namespaces', 'HostPath Volumes', 'Sysctls', 'Volume Types'];
const RESTRICTED_CONTROLS = [
  'Volume Types',
  'Privilege Escalation',
  'Running as Non-root',
  'Running as Non-root user',
  'Seccomp',
  'Capabilities',
];

function checkPodSecurity(validation: JsonObject, path: FieldPath): readonly FieldError[] {
  const podSecurity = objectField(validation, 'podSecurity');
  const errors: FieldError[] = [];
  for (const [index, exclude] of objectItems(podSecurity?.get('exclude')).entries()) {
    const at = [...path, 'podSecurity', 'exclude', index];
    const control = textField(exclude, 'controlName');
    const hasImages = textItems(exclude.get('images')).length > 0;
    if (CONTAINER_CONTROLS.includes(control) && !hasImages) {
      const detail = 'exclude.images must be specified for the container level control';
      errors.push(invalid([...at, 'controlName'], control, detail));
    } else if (POD_CONTROLS.includes(control) && hasImages) {
      const detail = 'exclude.images must not be specified for the pod level control';
      errors.push(invalid([...at, 'controlName'], control, detail));
    }
    const field = textField(exclude, 'restrictedField');
    const values = textItems(exclude.get('values'));
    if (field !== '' && values.length === 0) errors.push(forbidden([...at, 'values'], 'values is required'));
    if (field === '' && values.length > 0) {
      errors.push(forbidden([...at, 'restrictedField'], 'restrictedField is required'));
    }
    if (control === 'Seccomp' || control === 'Capabilities') continue;
    const isBaseline = textField(podSecurity ?? new Map(), 'level') === 'baseline';
    if (isBaseline && RESTRICTED_CONTROLS.includes(control)) {
      errors.push(invalid([...at, 'controlName'], control, 'Invalid control name defined at the given level'));
    }
  }
  return errors;
}

/** True if exclude removes everything that match selects, as far as upstream checks (`ValidateMatchExcludeConflict`). */
function cancelOut(match: JsonObject, exclude: JsonObject): boolean {
  const filtersOf = (block: JsonObject, form: string): readonly JsonObject[] => objectItems(block.get(form));
  if (filtersOf(match, 'all').length > 0 || filtersOf(exclude, 'all').length > 0) return false;
  const [matchAny, excludeAny] = [filtersOf(match, 'any'), filtersOf(exclude, 'any')];
  if (matchAny.length > 0 && excludeAny.length > 0) {
    const texts = new Set(excludeAny.map(filterText));
    return matchAny.some((filter) => texts.has(filterText(filter)));
  }
  if (excludeAny.length === 0 && filterText(exclude) === '{}') return false;
  return excludesAll(match, exclude);
}

function filterText(value: JsonValue): string {
  return stringifyJson(withoutEmpty(value), { sortKeys: true, escapeHtml: false });
}

function withoutEmpty(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  const kept = [...value]
    .map(([key, item]): [string, JsonValue] => [key, withoutEmpty(item)])
    .filter(
      ([, item]) =>
        item !== null &&
        item !== '' &&
        !(isJsonObject(item) && item.size === 0) &&
        !(isJsonArray(item) && item.length === 0),
    );
  return new Map(kept);
}

function excludesAll(match: JsonObject, exclude: JsonObject): boolean {
  const [wanted, excluded] = [objectOrEmpty(match.get('resources')), objectOrEmpty(exclude.get('resources'))];
  const covers = (narrow: readonly string[], wide: readonly string[]): boolean =>
    wide.length === 0 || (narrow.length > 0 && narrow.every((item) => wide.includes(item)));
  const listOf = (object: JsonObject, name: string): readonly string[] => textItems(object.get(name));
  for (const name of ['roles', 'clusterRoles']) if (!covers(listOf(match, name), listOf(exclude, name))) return false;
  const subjects = (block: JsonObject): readonly string[] => objectItems(block.get('subjects')).map(filterText);
  if (!covers(subjects(match), subjects(exclude))) return false;
  const name = textField(excluded, 'name');
  if (name !== '' && !matchesWildcard(name, textField(wanted, 'name'))) return false;
  const names = listOf(excluded, 'names');
  if (names.length > 0) {
    return listOf(wanted, 'names').some((each) => names.some((pattern) => matchesWildcard(pattern, each)));
  }
  for (const list of ['namespaces', 'kinds']) if (!covers(listOf(wanted, list), listOf(excluded, list))) return false;
  for (const selector of ['selector', 'namespaceSelector']) {
    const [own, other] = [objectField(wanted, selector), objectField(excluded, selector)];
    if ((own === undefined) !== (other === undefined)) return false;
    if (own !== undefined && other !== undefined && !selectorCovered(own, other)) return false;
  }
  const [own, other] = [objectField(wanted, 'annotations'), objectField(excluded, 'annotations')];
  if ((own === undefined) !== (other === undefined)) return false;
  return own === undefined || other === undefined || filterText(own) === filterText(other);
}

function selectorCovered(own: JsonObject, other: JsonObject): boolean {
  const expressions = objectItems(other.get('matchExpressions')).map(filterText);
  const ownExpressions = objectItems(own.get('matchExpressions')).map(filterText);
  if (
    expressions.length > 0 &&
    (ownExpressions.length === 0 || !ownExpressions.every((each) => expressions.includes(each)))
  ) {
    return false;
  }
  const labels = objectOrEmpty(other.get('matchLabels'));
  const ownLabels = objectOrEmpty(own.get('matchLabels'));
  return labels.size === 0 || (ownLabels.size > 0 && [...ownLabels].every(([key, value]) => labels.get(key) === value));
}
