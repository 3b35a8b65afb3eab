// Translates one validate rule into the parts of a CEL policy: match, variables and validations.
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectField, objectItems, objectOrEmpty, textField, textItems } from '../../../source/json/json-field.ts';
import { computeRules } from '../autogen/autogen.ts';
import { readConditions } from '../conditions/condition.ts';
import { compilePattern } from '../pattern/compiled-pattern.ts';
import { isEnforce } from '../validate/compiled-validation.ts';
import { findVariables } from '../variables/find-variables.ts';
import {
  ALWAYS,
  allOf,
  anyOf,
  atom,
  type CelText,
  NEVER,
  notCel,
  operand,
  quoted,
  relation,
  ternary,
} from './cel-text.ts';
import { conditionsToCel } from './conditions-to-cel.ts';
import { excludeToCel, type MatchedResource, matchToCel, type ServedKinds } from './match-to-cel.ts';
import { ObjectTypes } from './object-types.ts';
import { elementName, patternToCel } from './pattern-to-cel.ts';
import { type QueryScope, queryToCel, textToCel } from './query-to-cel.ts';
import { Untranslatable } from './untranslatable.ts';

export interface WrittenExpression {
  readonly name: string;
  readonly expression: string;
}

export interface MigratedRule {
  readonly rule: string;
  readonly resources: readonly MatchedResource[];
  readonly operations: readonly string[];
  readonly matchConditions: readonly WrittenExpression[];
  readonly variables: readonly WrittenExpression[];
  readonly validations: readonly JsonObject[];
  readonly action: 'Deny' | 'Audit';
  /** `paramKind`, `paramRef` and `auditAnnotations` of a rule in CEL. */
  readonly cel: JsonObject | undefined;
}

/** Throws `Untranslatable`. */
export function migrateRule(policy: JsonObject, index: number, served: ServedKinds): MigratedRule {
  const rule = objectItems(objectOrEmpty(policy.get('spec')).get('rules'))[index] as JsonObject;
  return new RuleWriter(policy, rule, index, served).write();
}

class RuleWriter {
  readonly #policy: JsonObject;
  readonly #rule: JsonObject;
  readonly #validation: JsonObject;
  readonly #served: ServedKinds;
  /** Kinds of the rules that Kyverno generates from this one, e.g. `apps/v1/Deployment`. */
  readonly #controllers: readonly string[];

  constructor(policy: JsonObject, rule: JsonObject, index: number, served: ServedKinds) {
    this.#policy = policy;
    this.#rule = rule;
    this.#validation = objectOrEmpty(rule.get('validate'));
    this.#served = served;
    const made = computeRules(policy, undefined).filter((each) => each.index === index && each.template.length > 0);
    this.#controllers = [...new Set(made.flatMap(({ value }) => madeKinds(value)))];
  }

  write(): MigratedRule {
    const rule = this.#rule;
    const name = textField(rule, 'name');
    for (const field of ['mutate', 'generate', 'verifyImages']) {
      if (rule.has(field)) throw new Untranslatable(`\`${field}\`: only \`validate\` rules can be translated`);
    }
    const context = objectItems(rule.get('context'));
    if (context.length > 0) throw new Untranslatable(`\`context\`: ${context.map(contextForm).join(', ')}`);
    for (const [field, reason] of UNTRANSLATED) {
      if (isWritten(this.#validation.get(field))) throw new Untranslatable(`\`validate.${field}\`: ${reason}`);
    }
    const cel = objectField(this.#validation, 'cel');
    // Patterns and loops over the object do not apply to DELETE.
    const loops = objectItems(this.#validation.get('foreach'));
    const asksDeletion =
      isWritten(this.#validation.get('deny')) ||
      isWritten(this.#validation.get('cel')) ||
      loops.some((loop) => textField(loop, 'list').includes('oldObject'));
    const match = objectOrEmpty(rule.get('match'));
    const first = matchToCel(match, this.#controllers, this.#served, 'object');
    const operations = (
      first.operations ?? (asksDeletion ? ['CREATE', 'UPDATE', 'DELETE'] : ['CREATE', 'UPDATE'])
    ).filter((operation) => asksDeletion || operation !== 'DELETE');
    if (operations.length === 0)
      throw new Untranslatable('a pattern for DELETE or CONNECT requests, to which patterns never apply');
    const isDeleted = operations.includes('DELETE');
    const object = isDeleted ? "(request.operation == 'DELETE' ? oldObject : object)" : 'object';
    const matched = matchToCel(match, this.#controllers, this.#served, object);
    const excluded = excludeToCel(objectField(rule, 'exclude'), this.#controllers, object);
    const matchConditions = [
      { name: 'match', expression: matched.matches.text },
      { name: 'exclude', expression: notCel(excluded).text },
    ].filter(({ expression }) => expression !== ALWAYS.text);
    const base = {
      rule: name,
      resources: matched.resources,
      operations,
      action: isEnforce(this.#failureAction()) ? 'Deny' : 'Audit',
    } as const;
    if (cel !== undefined) return { ...base, ...this.#cel(cel, matchConditions), cel };
    const types = ObjectTypes.of(this.#controllers.length > 0 ? [POD] : matched.kinds, this.#served.minor);
    return {
      ...base,
      ...this.#judged(object, matchConditions, types, first.operations?.includes('CREATE') !== false),
      cel: undefined,
    };
  }

  #failureAction(): string {
    if (objectItems(this.#validation.get('failureActionOverrides')).length > 0) {
      throw new Untranslatable('`failureActionOverrides`: a policy has one action; write a binding for each action');
    }
    const spec = objectOrEmpty(this.#policy.get('spec'));
    if (objectItems(spec.get('validationFailureActionOverrides')).length > 0) {
      throw new Untranslatable(
        '`validationFailureActionOverrides`: a policy has one action; write a binding for each action',
      );
    }
    return textField(this.#validation, 'failureAction') || textField(spec, 'validationFailureAction') || 'Audit';
  }

  /** Expressions are copied unchanged. */
  #cel(
    cel: JsonObject,
    matchConditions: readonly WrittenExpression[],
  ): Pick<MigratedRule, 'matchConditions' | 'variables' | 'validations'> {
    if (this.#controllers.length > 0) return this.#celOfPods(cel, matchConditions);
    return this.#celAs(cel, matchConditions, (text) => text);
  }

  /** Kyverno rewrites the text of generated rules. Here, a variable selects the Pod instead. */
  #celOfPods(
    cel: JsonObject,
    matchConditions: readonly WrittenExpression[],
  ): Pick<MigratedRule, 'matchConditions' | 'variables' | 'validations'> {
    const preconditions = objectItems(this.#rule.get('celPreconditions'));
    if (preconditions.length > 0)
      throw new Untranslatable('`celPreconditions` of a rule for Pods and their controllers');
    const written = this.#celAs(cel, matchConditions, (text) => text.replace(OF_POD, 'variables.$1Pod.$2'));
    const podOrNull = (name: 'object' | 'oldObject'): string => `${name} == null ? ${name} : ${this.#podOf(name)}`;
    const texts = JSON.stringify([...written.variables, written.validations.map((each) => [...each])]);
    const pods = (['object', 'oldObject'] as const)
      .filter((name) => texts.includes(`variables.${name}Pod.`))
      .map((name) => ({ name: `${name}Pod`, expression: podOrNull(name) }));
    return { ...written, variables: [...pods, ...written.variables] };
  }

  #celAs(
    cel: JsonObject,
    matchConditions: readonly WrittenExpression[],
    rewrite: (text: string) => string,
  ): Pick<MigratedRule, 'matchConditions' | 'variables' | 'validations'> {
    const named = (items: readonly JsonObject[]): readonly WrittenExpression[] =>
      items.map((each) => ({ name: textField(each, 'name'), expression: rewrite(textField(each, 'expression')) }));
    const message = textField(this.#validation, 'message');
    const validations = objectItems(cel.get('expressions')).map((written) => {
      const validation = new Map<string, JsonValue>([['expression', rewrite(textField(written, 'expression'))]]);
      const text = textField(written, 'message') || message;
      if (text !== '') validation.set('message', oneLine(text));
      const expression = textField(written, 'messageExpression');
      if (expression !== '') validation.set('messageExpression', rewrite(expression));
      return validation;
    });
    const preconditions = named(objectItems(this.#rule.get('celPreconditions')));
    return {
      matchConditions: [...matchConditions, ...preconditions],
      variables: named(objectItems(cel.get('variables'))),
      validations,
    };
  }

  /** Pattern, anyPattern, deny and foreach. */
  #judged(
    object: string,
    matchConditions: readonly WrittenExpression[],
    types: ObjectTypes,
    isAboutCreation: boolean,
  ): Pick<MigratedRule, 'matchConditions' | 'variables' | 'validations'> {
    const hasPods = this.#controllers.length > 0;
    // Existing violations are allowed on update: Kyverno evaluates the old object as if it were created.
    const isTolerant =
      isAboutCreation && isEnforce(this.#failureAction()) && this.#validation.get('allowExistingViolations') !== false;
    const holds = this.#preconditions(object, types);
    const conditions =
      holds === undefined ? matchConditions : [...matchConditions, { name: 'preconditions', expression: holds.text }];
    const said = (root: string): CelText => {
      const scope = this.#scope(root, hasPods, isTolerant ? undefined : 'oldObject', types);
      return this.#levelPasses(this.#validation, scope, root);
    };
    if (!isTolerant) {
      const root = hasPods ? 'variables.pod' : object === 'object' ? object : 'variables.subject';
      const variables = hasPods
        ? [{ name: 'pod', expression: this.#podOf(object) }]
        : object === 'object'
          ? []
          : [{ name: 'subject', expression: object.slice(1, -1) }];
      const validation = this.#validationOf(said(root).text, this.#messageScope(root, hasPods, types));
      return { matchConditions: conditions, variables, validations: [validation] };
    }
    const list = `request.operation == 'UPDATE' ? [object, oldObject] : [${object === 'object' ? object : object.slice(1, -1)}]`;
    const item = hasPods ? 'pod' : 'subject';
    const subjects = hasPods ? `(${list}).map(item, ${this.#podOf('item')})` : list;
    const variables = [
      { name: `${item}s`, expression: subjects },
      { name: 'passes', expression: `variables.${item}s.map(${item}, ${said(item).text})` },
    ];
    const expression = "variables.passes[0] || (request.operation == 'UPDATE' && !variables.passes[1])";
    const scope = this.#messageScope(`variables.${item}s[0]`, hasPods, types);
    return { matchConditions: conditions, variables, validations: [this.#validationOf(expression, scope)] };
  }

  #scope(root: string, hasPods: boolean, oldObject: string | undefined, types: ObjectTypes): QueryScope {
    return { object: hasPods ? 'object' : root, pod: hasPods ? root : undefined, oldObject, types };
  }

  #messageScope(root: string, hasPods: boolean, types: ObjectTypes): QueryScope {
    return this.#scope(root, hasPods, undefined, types);
  }

  #preconditions(object: string, types: ObjectTypes): CelText | undefined {
    const conditions = readConditions(this.#rule.get('preconditions') ?? undefined);
    if (conditions === undefined) return undefined;
    const hasPods = this.#controllers.length > 0;
    if (!hasPods) return conditionsToCel(conditions, this.#scope(object, false, 'oldObject', types));
    const holds = conditionsToCel(conditions, this.#scope('pod', true, 'oldObject', types));
    if (!holds.text.includes('pod')) return holds;
    return atom(`[${this.#podOf(object)}].all(pod, ${holds.text})`);
  }

  /** The Pod itself, or the template of a controller. */
  #podOf(object: string): string {
    const kinds = this.#controllers.map((each) => each.split('/').at(-1) as string);
    const plain = kinds.filter((kind) => kind !== 'CronJob');
    const match = JSON.stringify(toPlain(this.#rule.get('match') ?? null));
    const isOnlyPods = !/"kinds":\[(?!"(?:v1\/)?Pod"\])/.test(match);
    const template = `${object}.spec.template`;
    const isCronJob = relation(`${object}.kind == 'CronJob'`);
    const ofCronJob = atom(`${object}.spec.jobTemplate.spec.template`);
    const rest = (otherwise: CelText): CelText =>
      kinds.includes('CronJob') ? ternary(isCronJob, ofCronJob, otherwise) : otherwise;
    if (isOnlyPods) {
      const ofControllers = plain.length > 0 ? rest(atom(template)) : ofCronJob;
      return ternary(relation(`${object}.kind == 'Pod'`), atom(object), ofControllers).text;
    }
    if (plain.length === 0) return rest(atom(object)).text;
    const isController = relation(`${object}.kind in [${plain.map(quoted).join(', ')}]`);
    return rest(ternary(isController, atom(template), atom(object))).text;
  }

  /** One level: the rule itself, or an entry of foreach, which has its own conditions. */
  #levelPasses(level: JsonObject, scope: QueryScope, root: string): CelText {
    const pattern = level.get('pattern');
    if (isWritten(pattern)) return this.#patternPasses(pattern as JsonValue, scope, root).passes;
    const anyPattern = level.get('anyPattern');
    if (isJsonArray(anyPattern)) {
      const each = anyPattern.map((one) => this.#patternPasses(one, scope, root));
      return anyOf(...each.map(({ fits }) => fits), allOf(...each.map(({ skips }) => skips)));
    }
    const deny = level.get('deny');
    if (isJsonObject(deny)) {
      const conditions = readConditions(deny.get('conditions') ?? undefined);
      if (conditions === undefined) return NEVER;
      if (hasMessages(deny.get('conditions'))) throw new Untranslatable('messages of single conditions');
      return notCel(conditionsToCel(conditions, scope));
    }
    const foreach = objectItems(level.get('foreach'));
    if (foreach.length > 0) return allOf(...foreach.map((loop) => this.#loopPasses(loop, scope)));
    throw new Untranslatable('a rule without pattern, anyPattern, deny, foreach or cel');
  }

  #patternPasses(pattern: JsonValue, scope: QueryScope, root: string): ReturnType<typeof patternToCel> {
    if (mentions(pattern)) throw new Untranslatable('a variable or reference inside a pattern');
    const path = scope.element === undefined ? [] : scope.element.path;
    const types = path === undefined ? ObjectTypes.of([], 0) : scope.types;
    return patternToCel(compilePattern(pattern), { value: scope.element?.value ?? root, path: path ?? [] }, types);
  }

  #loopPasses(loop: JsonObject, scope: QueryScope): CelText {
    if (objectItems(loop.get('context')).length > 0) throw new Untranslatable('`context` of a foreach');
    if (loop.get('elementScope') === false) throw new Untranslatable('`elementScope: false`');
    if (scope.element !== undefined) throw new Untranslatable('a foreach inside a foreach');
    const list = queryToCel(textField(loop, 'list'), scope);
    if (list.isNested) throw new Untranslatable('a foreach over nested lists');
    if (list.form !== 'list' && list.form !== 'any')
      throw new Untranslatable(`a foreach over \`${textField(loop, 'list')}\`, which is not a list`);
    const elements = list.optional === undefined ? operand(list.value) : `${list.optional}.orValue([])`;
    const name = elementName(textField(loop, 'list').split(/\W+/).filter(Boolean).at(-1) ?? '', elements, 1);
    const path = list.path && [...list.path, '*'];
    const inside: QueryScope = { ...scope, element: { value: name, path } };
    const passes = this.#levelPasses(loop, inside, name);
    const conditions = readConditions(loop.get('preconditions') ?? undefined);
    const applies = conditions === undefined ? ALWAYS : conditionsToCel(conditions, inside);
    return atom(`${elements}.all(${name}, ${anyOf(notCel(applies), passes).text})`);
  }

  #validationOf(expression: string, scope: QueryScope): JsonObject {
    const validation = new Map<string, JsonValue>([['expression', expression]]);
    const name = textField(this.#rule, 'name');
    const message = textField(this.#validation, 'message');
    if (message === '') return validation.set('message', `validation error: rule ${name} failed`);
    if (findVariables(message).length === 0) return validation.set('message', oneLine(message));
    if (/\{\{\s*element/.test(message)) throw new Untranslatable('a message that uses the element of a foreach');
    return validation.set('messageExpression', textToCel(oneLine(message), scope).text);
  }
}

const POD = { group: '', version: 'v1', kind: 'Pod' };

/** The references that Kyverno's text replacement rewrites for templates. */
const OF_POD = /(?<![\w.])(object|oldObject)\.(spec|metadata)(?![\w])/g;

const UNTRANSLATED: readonly (readonly [string, string])[] = [
  ['podSecurity', 'its checks have no CEL equivalent; Pod Security labels on Namespaces enforce the same checks'],
  ['manifests', 'CEL expressions cannot verify signatures'],
  ['assert', 'it has no effect in Kyverno 1.19'],
];

function contextForm(entry: JsonObject): string {
  const form = ['apiCall', 'configMap', 'imageRegistry', 'globalReference', 'variable'].find((field) =>
    entry.has(field),
  );
  return `${textField(entry, 'name')} (${form ?? 'nothing'})`;
}

function isWritten(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null;
}

function madeKinds(rule: JsonObject): readonly string[] {
  const match = objectOrEmpty(rule.get('match'));
  const filters = [...objectItems(match.get('any')), ...objectItems(match.get('all')), match];
  const kinds = filters.flatMap((filter) => textItems(objectOrEmpty(filter.get('resources')).get('kinds')));
  return kinds.filter((kind) => kind.split('/').length > 1);
}

function mentions(value: JsonValue): boolean {
  if (typeof value === 'string') return value.includes('{{') || /\$\(.+\)/.test(value);
  if (isJsonArray(value)) return value.some(mentions);
  return isJsonObject(value) && [...value].some(([key, item]) => mentions(key) || mentions(item));
}

function hasMessages(conditions: JsonValue | undefined): boolean {
  if (isJsonArray(conditions)) return conditions.some(hasMessages);
  if (!isJsonObject(conditions)) return false;
  return textField(conditions, 'message') !== '' || ['any', 'all'].some((field) => hasMessages(conditions.get(field)));
}

/** Messages of the API server's policies must not contain line breaks. */
function oneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, ' ');
}

function toPlain(value: JsonValue): unknown {
  if (isJsonArray(value)) return value.map(toPlain);
  if (isJsonObject(value)) return Object.fromEntries([...value].map(([key, item]) => [key, toPlain(item)]));
  return typeof value === 'bigint' ? Number(value) : value;
}
