// Generates rules for Pod controllers (Deployment, CronJob, …) from rules for Pods (`pkg/autogen/v1`).
import { compareUtf8, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField, textItems } from '../../../source/json/json-field.ts';
import { containsKind } from '../matching/kind-selector.ts';
import { shiftReferences } from './shift-references.ts';

/** A rule as evaluated, with the written rule that it comes from. */
export interface ComputedRule {
  readonly value: JsonObject;
  /** Index under `spec.rules`. */
  readonly index: number;
  /** Path from the object to the `spec` and `metadata` of its Pod. Empty for a rule as written. */
  readonly template: readonly string[];
}

const AUTOGEN_CONTROLLERS = 'pod-policies.kyverno.io/autogen-controllers';

/** Upstream uses a set; lists made from it are sorted. */
const CONTROLLERS: readonly string[] = [
  'CronJob',
  'DaemonSet',
  'Deployment',
  'Job',
  'ReplicaSet',
  'ReplicationController',
  'StatefulSet',
];

const GROUP_VERSION_KINDS: ReadonlyMap<string, string> = new Map([
  ['DaemonSet', 'apps/v1/DaemonSet'],
  ['Deployment', 'apps/v1/Deployment'],
  ['Job', 'batch/v1/Job'],
  ['StatefulSet', 'apps/v1/StatefulSet'],
  ['ReplicaSet', 'apps/v1/ReplicaSet'],
  ['ReplicationController', 'v1/ReplicationController'],
  ['CronJob', 'batch/v1/CronJob'],
  ['Pod', 'v1/Pod'],
]);

/** The rules for objects of one kind. With `undefined`, the rules for all kinds, as mutation and policy validation use them. */
export function computeRules(policy: JsonObject, kind: string | undefined): readonly ComputedRule[] {
  const rules = objectItems(objectOrEmpty(policy.get('spec')).get('rules'));
  const written = rules.map((value, index): ComputedRule => ({ value, index, template: [] }));
  const controllers = controllersOf(policy, rules);
  if (kind !== undefined && !controllers.includes(kind)) return written;
  const wanted = kind === undefined ? controllers : [kind];
  if (wanted.length === 1 && wanted[0] === 'none') return written;
  const generated = written.flatMap(({ value, index }) => generateRules(value, index, wanted));
  if (generated.length === 0) return written;
  return [...written.filter(({ value }) => !isAutogenName(textField(value, 'name'))), ...generated];
}

function isAutogenName(name: string): boolean {
  return name.startsWith('autogen-');
}

/** Only `none` if rules must not be generated. */
function controllersOf(policy: JsonObject, rules: readonly JsonObject[]): readonly string[] {
  if (!canAutogen(rules)) return ['none'];
  const annotation = objectOrEmpty(objectOrEmpty(policy.get('metadata')).get('annotations')).get(AUTOGEN_CONTROLLERS);
  return typeof annotation === 'string' ? [...new Set(annotation.split(','))] : CONTROLLERS;
}

function canAutogen(rules: readonly JsonObject[]): boolean {
  let isNeeded = false;
  for (const rule of rules) {
    if (hasContent(rule.get('generate'))) return false;
    const mutation = objectOrEmpty(rule.get('mutate'));
    const mutations = [mutation, ...objectItems(mutation.get('foreach'))];
    if (mutations.some((each) => textField(each, 'patchesJson6902') !== '')) return false;
    for (const description of descriptionsOf(rule)) {
      if (!isSupported(description)) return false;
      const kinds = textItems(description.get('kinds'));
      isNeeded ||= kinds.some((kind) => kind === 'Pod' || CONTROLLERS.includes(kind));
    }
  }
  return isNeeded;
}

/** Upstream compares the decoded struct with an empty one. */
export function hasContent(value: JsonValue | undefined): boolean {
  return isJsonObject(value) && value.size > 0;
}

/** `resources` of the match and exclude blocks and of all their filters. */
function descriptionsOf(rule: JsonObject): readonly JsonObject[] {
  return ['match', 'exclude'].flatMap((side) => {
    const block = objectOrEmpty(rule.get(side));
    const filters = [...objectItems(block.get('any')), ...objectItems(block.get('all'))];
    return [block, ...filters].map((filter) => objectOrEmpty(filter.get('resources')));
  });
}

function isSupported(description: JsonObject): boolean {
  const kinds = textItems(description.get('kinds'));
  return (
    textField(description, 'name') === '' &&
    textItems(description.get('names')).length === 0 &&
    !isJsonObject(description.get('selector')) &&
    !isJsonObject(description.get('annotations')) &&
    !(kinds.length > 1 && containsKind(kinds, 'Pod'))
  );
}

/** Kinds of all filters in a block, in order (`MatchResources.GetKinds`). */
function kindsOfBlock(block: JsonObject): readonly string[] {
  const filters = [...objectItems(block.get('all')), ...objectItems(block.get('any'))];
  const own = objectOrEmpty(block.get('resources'));
  return [
    ...textItems(own.get('kinds')),
    ...filters.flatMap((filter) => textItems(objectOrEmpty(filter.get('resources')).get('kinds'))),
  ];
}

function generateRules(rule: JsonObject, index: number, controllers: readonly string[]): readonly ComputedRule[] {
  const sorted = [...controllers].sort(compareUtf8);
  const plain = sorted.filter((controller) => controller !== 'CronJob');
  const generated: ComputedRule[] = [];
  const forPods = generateForControllers(rule, plain);
  if (forPods !== undefined) {
    generated.push({ value: rewrite(forPods, ['template']), index, template: ['spec', 'template'] });
  }
  const hasCronJob = sorted.some((controller) => controller.includes('CronJob') || controller.includes('all'));
  const base = hasCronJob ? generateForControllers(rule, sorted) : undefined;
  const forCronJobs =
    base &&
    generateRule(
      base,
      cutName(`autogen-cronjob-${textField(rule, 'name')}`),
      'jobTemplate',
      CRON_JOB_SHIFT,
      ['CronJob'],
      true,
    );
  if (forCronJobs !== undefined) {
    const template = ['spec', 'jobTemplate', 'spec', 'template'];
    generated.push({ value: rewrite(forCronJobs, ['jobTemplate', 'spec', 'template']), index, template });
  }
  return generated;
}

const TEMPLATE_SHIFT = 'spec/template';
const CRON_JOB_SHIFT = 'spec/jobTemplate/spec/template';

function cutName(name: string): string {
  return name.slice(0, 63);
}

function generateForControllers(rule: JsonObject, controllers: readonly string[]): JsonObject | undefined {
  const name = textField(rule, 'name');
  if (isAutogenName(name) || controllers.length === 0 || (controllers.length === 1 && controllers[0] === '')) {
    return undefined;
  }
  const matched = kindsOfBlock(objectOrEmpty(rule.get('match')));
  const excluded = kindsOfBlock(objectOrEmpty(rule.get('exclude')));
  if (!containsKind(matched, 'Pod') || (excluded.length > 0 && !containsKind(excluded, 'Pod'))) return undefined;
  const known = controllers.filter((controller) => controller !== 'CronJob' && CONTROLLERS.includes(controller));
  const isAll = controllers.length === 1 && controllers[0] === 'all';
  const kinds = isAll ? CONTROLLERS.slice(1) : known.length > 0 ? known : controllers;
  return generateRule(rule, cutName(`autogen-${name}`), 'template', TEMPLATE_SHIFT, kinds, false);
}

function generateRule(
  rule: JsonObject,
  name: string,
  templateKey: string,
  shift: string,
  kinds: readonly string[],
  replacesAll: boolean,
): JsonObject | undefined {
  const body = shiftedBody(rule, templateKey, shift);
  if (body === undefined) return undefined;
  const versioned = kinds.map((kind) => GROUP_VERSION_KINDS.get(kind) ?? kind);
  const generated = new Map<string, JsonValue>(body).set('name', name);
  generated.set('match', withKinds(objectOrEmpty(rule.get('match')), versioned, replacesAll, true));
  const exclude = objectField(rule, 'exclude');
  if (exclude !== undefined) generated.set('exclude', withKinds(exclude, versioned, replacesAll, false));
  return generated;
}

function withKinds(block: JsonObject, kinds: readonly string[], replacesAll: boolean, isMatch: boolean): JsonObject {
  for (const form of ['any', 'all']) {
    const filters = block.get(form);
    if (!isJsonArray(filters) || filters.length === 0) continue;
    const replaced = objectItems(filters).map((filter) => {
      const own = textItems(objectOrEmpty(filter.get('resources')).get('kinds'));
      return replacesAll || containsKind(own, 'Pod') ? replaceKinds(filter, kinds) : filter;
    });
    return new Map(block).set(form, replaced);
  }
  const own = textItems(objectOrEmpty(block.get('resources')).get('kinds'));
  return isMatch || own.length > 0 ? replaceKinds(block, kinds) : block;
}

function replaceKinds(filter: JsonObject, kinds: readonly string[]): JsonObject {
  const resources = new Map<string, JsonValue>(objectOrEmpty(filter.get('resources'))).set('kinds', kinds);
  return new Map<string, JsonValue>(filter).set('resources', resources);
}

const KEPT_OF_VALIDATION = ['failureAction', 'failureActionOverrides', 'allowExistingViolations'];

/** The rule with its mutation or validation moved one level deeper. Undefined if it has none that can be moved. */
function shiftedBody(rule: JsonObject, templateKey: string, shift: string): JsonObject | undefined {
  const wrap = (value: JsonValue): JsonValue => new Map([['spec', new Map([[templateKey, value]])]]);
  const withField = (name: string, value: JsonValue): JsonObject => new Map<string, JsonValue>(rule).set(name, value);
  const mutation = objectField(rule, 'mutate');
  const merge = mutation?.get('patchStrategicMerge');
  if (merge !== undefined && merge !== null)
    return withField('mutate', new Map([['patchStrategicMerge', wrap(merge)]]));
  const loops = objectItems(mutation?.get('foreach'));
  if (loops.length > 0) {
    const wrapped = loops.map((loop) => {
      const kept = new Map([...loop].filter(([key]) => ['list', 'context', 'preconditions'].includes(key)));
      return kept.set('patchStrategicMerge', wrap(loop.get('patchStrategicMerge') ?? null));
    });
    return withField('mutate', new Map([['foreach', wrapped]]));
  }
  const validation = objectField(rule, 'validate');
  if (validation !== undefined && validation.size > 0) {
    const kept = (pivot: string, more: JsonObject): JsonObject => {
      const fields = new Map([...validation].filter(([key]) => KEPT_OF_VALIDATION.includes(key)));
      const message = textField(validation, 'message');
      if (message !== '') fields.set('message', shiftReferences(message, shift, pivot));
      return withField('validate', new Map([...fields, ...more]));
    };
    const pattern = validation.get('pattern');
    if (pattern !== undefined && pattern !== null) return kept('pattern', new Map([['pattern', wrap(pattern)]]));
    const deny = validation.get('deny');
    if (isJsonObject(deny)) return kept('deny', new Map([['deny', deny]]));
    const podSecurity = validation.get('podSecurity');
    if (isJsonObject(podSecurity)) return kept('podSecurity', new Map([['podSecurity', podSecurity]]));
    const anyPattern = validation.get('anyPattern');
    if (isJsonArray(anyPattern)) return kept('anyPattern', new Map([['anyPattern', anyPattern.map(wrap)]]));
    const foreach = validation.get('foreach');
    if (isJsonArray(foreach) && foreach.length > 0) return kept('pattern', new Map([['foreach', foreach]]));
    if (isJsonObject(validation.get('cel'))) return rule;
  }
  return isJsonArray(rule.get('verifyImages')) ? rule : undefined;
}

/** Kyverno replaces text in the JSON of the whole rule, including messages and names. */
function rewrite(rule: JsonObject, template: readonly string[]): JsonObject {
  const below = `spec.${template.join('.')}`;
  const isCel = isJsonObject(objectOrEmpty(rule.get('validate')).get('cel'));
  const roots = isCel ? ['object', 'oldObject'] : ['request.object', 'request.oldObject'];
  const pairs = ['spec', 'metadata'].flatMap((field) =>
    roots.map((root): readonly [string, string] => [`${root}.${field}`, `${root}.${below}.${field}`]),
  );
  return rewriteValue(rule, pairs) as JsonObject;
}

function rewriteValue(value: JsonValue, pairs: readonly (readonly [string, string])[]): JsonValue {
  if (typeof value === 'string') {
    if (!value.includes('bject.')) return value;
    return pairs.reduce((text, [from, to]) => text.replaceAll(from, to), value);
  }
  if (isJsonArray(value)) return value.map((item) => rewriteValue(item, pairs));
  if (!isJsonObject(value)) return value;
  return new Map(
    [...value].map(([key, item]): [string, JsonValue] => [
      rewriteValue(key, pairs) as string,
      rewriteValue(item, pairs),
    ]),
  );
}
