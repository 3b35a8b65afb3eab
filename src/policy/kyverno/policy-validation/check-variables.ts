// Validates where a policy may use which variables (`pkg/validation/policy/background.go`, `validate.go: hasInvalidVariables`).
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  stringifyJson,
} from '../../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import { type ComputedRule, computeRules, hasContent } from '../autogen/autogen.ts';
import { QueryError } from '../jmespath/query-error.ts';
import { compileQuery } from '../jmespath/search.ts';
import { readPatch } from '../mutate/json-patch.ts';
import { matchesWildcard } from '../value/wildcard.ts';
import { findVariables } from '../variables/find-variables.ts';
import { substituteAll } from '../variables/substitute.ts';
import { VariableError, variableFailure } from '../variables/variable-error.ts';
import type { VariableSource } from '../variables/variable-source.ts';
import { type Refusal, refusal } from './refusal.ts';

const BACKGROUND_ADVICE =
  'only select variables are allowed in background mode. Set spec.background=false to disable background mode for this policy rule: ';

export function checkVariables(policy: JsonObject, isBackground: boolean): Refusal | undefined {
  const rules = computeRules(policy, undefined);
  if (isBackground) {
    const user = checkUserData(policy, rules, BACKGROUND_ADVICE);
    if (user !== undefined) return user;
  }
  return checkAllowed(rules, isBackground, 'policy contains invalid variables: ');
}

/** The rules of background mode, for mutations that run when the policy changes. */
export function checkOnPolicyUpdate(policy: JsonObject): Refusal | undefined {
  if (variablesOf(policy).length === 0) return undefined;
  const rules = computeRules(policy, undefined);
  const advice =
    'only select variables are allowed in on policy update. Set spec.mutateExistingOnPolicyUpdate=false to disable update policy mode for this policy rule: ';
  return (
    checkAllowed(rules, true, 'update event, policy contains invalid variables: ') ??
    checkUserData(policy, rules, advice)
  );
}

const FORBIDDEN_USER_VARIABLES: readonly RegExp[] = [
  /[^.](serviceAccountName)\b/,
  /[^.](serviceAccountNamespace)\b/,
  /[^.](request.userInfo)\b/,
  /[^.](request.roles)\b/,
  /[^.](request.clusterRoles)\b/,
];

function checkUserData(policy: JsonObject, rules: readonly ComputedRule[], advice: string): Refusal | undefined {
  for (const [index, { value }] of rules.entries()) {
    const place = userDataPlace(value);
    if (place === undefined) continue;
    const message = `${advice}invalid variable used at path: spec/rules[${index}]/${place.text} `;
    return refusal(message, ['spec', 'rules', rules[index]?.index ?? index, ...place.path]);
  }
  const written = objectItems(objectOrEmpty(policy.get('spec')).get('rules'));
  if (written.some((rule) => objectItems(objectOrEmpty(rule.get('mutate')).get('targets')).length > 0))
    return undefined;
  for (const { text, path } of variablesOf(policy)) {
    if (!FORBIDDEN_USER_VARIABLES.some((banned) => banned.test(text))) continue;
    return refusal(`${advice}variable ${text} is not allowed `, path);
  }
  return undefined;
}

interface UserDataPlace {
  readonly text: string;
  readonly path: readonly (string | number)[];
}

function userDataPlace(rule: JsonObject): UserDataPlace | undefined {
  for (const [side, forms] of [
    ['match', ['any', 'all']],
    ['exclude', ['all', 'any']],
  ] as const) {
    const block = objectField(rule, side);
    if (block === undefined) continue;
    const own = userField(block);
    if (own !== undefined) return { text: `${side}/${own}`, path: [side, own] };
    for (const form of forms) {
      for (const [index, filter] of objectItems(block.get(form)).entries()) {
        const field = userField(filter);
        if (field !== undefined)
          return { text: `${side}/${form}[${index}]/${field}`, path: [side, form, index, field] };
      }
    }
  }
  return undefined;
}

function userField(filter: JsonObject): string | undefined {
  return ['roles', 'clusterRoles', 'subjects'].find((name) => {
    const list = filter.get(name);
    return isJsonArray(list) && list.length > 0;
  });
}

interface FoundVariable {
  /** With its braces, as in the JSON. */
  readonly text: string;
  readonly path: readonly (string | number)[];
}

function variablesOf(policy: JsonObject): readonly FoundVariable[] {
  const found: FoundVariable[] = [];
  const visit = (value: JsonValue, path: readonly (string | number)[]): void => {
    if (typeof value === 'string') {
      const json = stringifyJson(value, { sortKeys: false, escapeHtml: true });
      for (const match of findVariables(json)) found.push({ text: match.slice(match.indexOf('{{')), path });
    } else if (isJsonArray(value)) for (const [index, item] of value.entries()) visit(item, [...path, index]);
    else if (isJsonObject(value)) {
      for (const [key, item] of value) {
        if (key === 'kubectl.kubernetes.io/last-applied-configuration') continue;
        visit(key, path);
        visit(item, [...path, key]);
      }
    }
  };
  visit(policy, []);
  return found;
}

const RESERVED =
  'request|serviceAccountName|serviceAccountNamespace|element|elementIndex|@|images|image|([a-z_0-9]+\\()[^{}]';
const RESERVED_IN_BACKGROUND = 'request\\.|element|elementIndex|@|images|images\\.|image\\.|([a-z_0-9]+\\()[^{}]';
const RESERVED_IN_TARGET =
  'request\\.|serviceAccountName|serviceAccountNamespace|element|elementIndex|@|images|images\\.|image\\.|target\\.|([a-z_0-9]+\\()[^{}]';
const RESERVED_IN_BACKGROUND_TARGET =
  'request\\.|element|elementIndex|@|images|images\\.|image\\.|target\\.|([a-z_0-9]+\\()[^{}]';

/** Reports variables that are not allowed instead of resolving them. Every query returns null. */
class AllowedVariables implements VariableSource {
  readonly operation = '';
  readonly #reserved: string;
  readonly #patterns: readonly string[];

  constructor(reserved: string, patterns: readonly string[]) {
    this.#reserved = reserved;
    this.#patterns = patterns;
  }

  query(text: string): JsonValue | VariableError {
    const query = text.trim();
    if (query === '') return variableFailure('invalid query (nil)');
    const compiled = compileQuery(query);
    if (compiled instanceof QueryError) {
      return variableFailure(`invalid JMESPath query ${query}: ${compiled.message}`);
    }
    const plain = query.replaceAll('"', '');
    if (new RegExp(this.#reserved).test(plain)) return null;
    if (this.#patterns.some((pattern) => matchesWildcard(pattern, plain))) return null;
    const message = `variable ${plain} must match regex "${this.#reserved}" or patterns [${this.#patterns.join(' ')}]`;
    return new VariableError('failure', message, true);
  }
}

function checkAllowed(rules: readonly ComputedRule[], isBackground: boolean, prefix: string): Refusal | undefined {
  for (const { value: rule, index } of rules) {
    const path = ['spec', 'rules', index];
    const name = textField(rule, 'name');
    const section = forbiddenSection(rule);
    if (section !== undefined) {
      const message = `${prefix}rule "${name}" should not have variables in ${section.text} section`;
      return refusal(message, [...path, ...section.path]);
    }
    const targets = objectItems(objectOrEmpty(rule.get('mutate')).get('targets'));
    const patterns = contextPatterns(rule);
    const own = contextPatterns(new Map([...rule].filter(([key]) => key === 'context')));
    for (const [target, value] of targets.entries()) {
      const reserved = isBackground ? RESERVED_IN_BACKGROUND : RESERVED;
      const error = substituteAll(
        new AllowedVariables(reserved, own),
        targetOnly(asDecoded(rule), value, target, targets.length),
      );
      if (!(error instanceof VariableError)) continue;
      const message = `${prefix}invalid variables defined at mutate.targets[${target}]: ${error.message}`;
      return refusal(message, [...path, 'mutate', 'targets', target]);
    }
    const inTarget = isBackground ? RESERVED_IN_BACKGROUND_TARGET : RESERVED_IN_TARGET;
    const plain = isBackground ? RESERVED_IN_BACKGROUND : RESERVED;
    const source = new AllowedVariables(targets.length > 0 ? inTarget : plain, patterns);
    const error = substituteAll(source, asDecoded(withoutAttestationConditions(rule)));
    if (error instanceof VariableError && error.kind !== 'not-found') {
      return refusal(`${prefix}variable substitution failed for rule ${name}: ${error.message}`, path);
    }
  }
  return undefined;
}

function targetOnly(rule: JsonObject, target: JsonObject, index: number, count: number): JsonObject {
  const spec = new Map([...target].filter(([key]) => ['apiVersion', 'kind', 'namespace', 'name', 'uid'].includes(key)));
  const targets = Array.from({ length: count }, (_, at): JsonObject => (at === index ? spec : new Map()));
  const kept = new Map([...rule].filter(([key]) => key === 'context' || key === 'preconditions'));
  return kept.set('mutate', new Map([['targets', targets]]));
}

/** Only fields that Kyverno decodes: in a list of conditions, it drops `any` and `all`, and refuses the empty conditions later. */
function asDecoded(rule: JsonObject): JsonObject {
  const decoded = new Map<string, JsonValue>(rule);
  if (rule.has('preconditions')) decoded.set('preconditions', decodedConditions(rule.get('preconditions') ?? null));
  const validation = objectOrEmpty(rule.get('validate'));
  if (validation.size > 0) decoded.set('validate', decodedValidation(validation));
  return decoded;
}

function decodedValidation(fields: JsonObject): JsonObject {
  const decoded = new Map<string, JsonValue>(fields);
  const deny = objectOrEmpty(fields.get('deny'));
  if (deny.has('conditions')) {
    const conditions = decodedConditions(deny.get('conditions') ?? null);
    decoded.set('deny', new Map<string, JsonValue>(deny).set('conditions', conditions));
  }
  const loops = fields.get('foreach') ?? null;
  if (isJsonArray(loops)) decoded.set('foreach', objectItems(loops).map(decodedValidation));
  return decoded;
}

const CONDITION_FIELDS: readonly string[] = ['key', 'operator', 'value', 'message'];

function decodedConditions(conditions: JsonValue): JsonValue {
  if (!isJsonArray(conditions)) return conditions;
  return objectItems(conditions).map(
    (condition) => new Map([...condition].filter(([field]) => CONDITION_FIELDS.includes(field))),
  );
}

function withoutAttestationConditions(rule: JsonObject): JsonObject {
  const images = rule.get('verifyImages');
  if (!isJsonArray(images)) return rule;
  const stripped = objectItems(images).map((image) => {
    const attestations = objectItems(image.get('attestations')).map((attestation) => {
      return new Map([...attestation].filter(([key]) => key !== 'conditions'));
    });
    return new Map<string, JsonValue>(image).set('attestations', attestations);
  });
  return new Map<string, JsonValue>(rule).set('verifyImages', stripped);
}

const BRACES = /\{\{[^{}]*\}\}/;

function forbiddenSection(rule: JsonObject): { readonly text: string; readonly path: readonly string[] } | undefined {
  const operations = textField(objectOrEmpty(rule.get('mutate')), 'patchesJson6902');
  if (operations !== '') {
    const read = readPatch(operations);
    if (!('error' in read) && read.some(({ path }) => findVariables(path).length > 0)) {
      return { text: 'patchesJSON6902 path', path: ['mutate', 'patchesJson6902'] };
    }
  }
  for (const side of ['exclude', 'match']) {
    const text = stringifyJson(rule.get(side) ?? null, { sortKeys: false, escapeHtml: true });
    if (BRACES.test(text)) return { text: side, path: [side] };
  }
  const references = objectItems(rule.get('verifyImages')).flatMap((image) => [image.get('imageReferences') ?? null]);
  const text = stringifyJson(references, { sortKeys: false, escapeHtml: true });
  return findVariables(text).length > 0 ? { text: 'image reference', path: ['verifyImages'] } : undefined;
}

/** The names that context entries define, as wildcards. */
function contextPatterns(rule: JsonObject): readonly string[] {
  const patterns: string[] = [];
  const add = (entries: JsonValue | undefined): void => {
    for (const entry of objectItems(entries)) {
      const name = textField(entry, 'name');
      const computed = ['apiCall', 'globalReference', 'imageRegistry', 'variable'];
      if (computed.some((form) => isJsonObject(entry.get(form)))) patterns.push(`${name}*`);
      if (isJsonObject(entry.get('configMap'))) {
        patterns.push(`${name}.data`, `${name}.metadata`, `${name}.data.*`, `${name}.metadata.*`);
      }
    }
  };
  add(rule.get('context'));
  for (const loop of objectItems(objectOrEmpty(rule.get('validate')).get('foreach'))) add(loop.get('context'));
  const mutation = objectOrEmpty(rule.get('mutate'));
  for (const loop of objectItems(mutation.get('foreach'))) add(loop.get('context'));
  for (const target of objectItems(mutation.get('targets'))) add(target.get('context'));
  if (hasContent(rule.get('generate'))) {
    for (const loop of objectItems(objectOrEmpty(rule.get('generate')).get('foreach'))) add(loop.get('context'));
  }
  return patterns;
}

/** `element` and `elementIndex` are allowed only inside a foreach (`ValidateElementInForEach`). */
export function checkElements(
  rule: JsonObject,
): { readonly message: string; readonly path: readonly (string | number)[] } | undefined {
  return elementOutside(rule, [], '');
}

function elementOutside(
  value: JsonValue,
  path: readonly (string | number)[],
  shown: string,
): { readonly message: string; readonly path: readonly (string | number)[] } | undefined {
  if (typeof value === 'string') {
    for (const match of findVariables(value)) {
      const variable = match.slice(match.indexOf('{{')).replaceAll('{{', '').replaceAll('}}', '').trim();
      const name = variable.startsWith('-') ? variable.slice(1).trim() : variable;
      if (!name.startsWith('element') || shown.includes('/foreach/')) continue;
      return { message: `variable '${name}' present outside of foreach at path ${shown}`, path };
    }
    return undefined;
  }
  if (isJsonArray(value)) {
    for (const [index, item] of value.entries()) {
      const found = elementOutside(item, [...path, index], `${shown}/${index}`);
      if (found !== undefined) return found;
    }
  } else if (isJsonObject(value)) {
    for (const [key, item] of value) {
      const found =
        elementOutside(key, path, shown) ??
        elementOutside(item, [...path, key], `${shown}/${key.replaceAll('/', '\\/')}`);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
