// Runs a test suite like Kyverno's CLI, but stricter: a row without a result fails unless it expects a skip.
import { parseApiVersion } from '../../../kubernetes/api/group-version.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../../../source/json/json-field.ts';
import type { SuiteRow, SuiteSurroundings } from '../../language/policy-suite.ts';
import { compileQuery } from '../jmespath/search.ts';
import { SearchError } from '../jmespath/search-error.ts';
import { isSame } from '../mutate/mutate-resource.ts';
import { answerCel } from './answer-cel.ts';
import { answerClassic, withDoubles } from './answer-classic.ts';
import type { ExpectedResult, KyvernoTest } from './kyverno-test.ts';
import type { PolicyAnswer, PolicyQuestion, RuleAnswer, SuiteTools } from './suite-answer.ts';

const MUTATING = /^(?:Namespaced)?MutatingPolicy$/;
/** The CLI's evaluation order. */
const STAGES: readonly ((policy: JsonObject) => boolean)[] = [
  (policy) => isClassic(policy) && objectItems(specOf(policy).get('rules')).some((rule) => rule.has('mutate')),
  (policy) => isClassic(policy),
  (policy) => policy.get('kind') === 'MutatingAdmissionPolicy',
  (policy) => MUTATING.test(textField(policy, 'kind')),
  () => true,
];

function isClassic(policy: JsonObject): boolean {
  return ['ClusterPolicy', 'Policy'].includes(textField(policy, 'kind'));
}

function specOf(policy: JsonObject): JsonObject {
  return objectOrEmpty(policy.get('spec'));
}

/** Why a policy does not run, by outcome. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['unsupported', 'policies of kind KIND need a registry or are not supported'],
  ['undecided', 'the result depends on a cluster or the network'],
  ['panic', "Kyverno's own CLI crashes on it"],
]);

interface Response extends RuleAnswer {
  readonly policy: JsonObject;
  /** The object after the policies up to this one. */
  readonly patched: JsonObject;
}

interface Subject {
  readonly object: JsonObject;
  /** Path of a JSON payload. Empty for Kubernetes objects. */
  readonly path: string;
}

export class SuiteRun {
  readonly #surroundings: SuiteSurroundings;
  readonly #test: KyvernoTest;
  readonly #tools: SuiteTools;
  readonly #context: JsonObject;
  readonly #policies: readonly JsonObject[];
  readonly #bindings: readonly JsonObject[];
  readonly #subjects: readonly Subject[];
  readonly #definitions: readonly JsonObject[];
  /** Why a policy has no results, by name: it is rejected, or cannot run here. */
  readonly #silences = new Map<string, { readonly reason: string; readonly isRefusal: boolean }>();
  /** By operation and subject. */
  readonly #responses = new Map<string, readonly Response[]>();

  constructor(test: KyvernoTest, surroundings: SuiteSurroundings, tools: SuiteTools) {
    this.#surroundings = surroundings;
    this.#test = test;
    this.#tools = tools;
    const held = this.#read(test.policies);
    this.#bindings = held.filter((each) => /Binding$/.test(textField(each, 'kind')));
    const policies = held.filter((each) => !/Binding$|^PolicyException$/.test(textField(each, 'kind')));
    this.#policies = STAGES.flatMap((isOf, index) => {
      return policies.filter((policy) => isOf(policy) && !STAGES.slice(0, index).some((earlier) => earlier(policy)));
    });
    const cluster = test.clusterResources.flatMap((path) => this.#read([path]).map(specOf));
    this.#definitions = cluster.flatMap((spec) => this.#read(textItems(spec.get('crds'))));
    const resources = this.#read(test.resources).map((object) => ({ object: this.#normal(object), path: '' }));
    const payloads = test.jsonPayloads.flatMap((path) => this.#read([path]).map((object) => ({ object, path })));
    this.#subjects = [...distinct(resources), ...payloads];
    this.#context = this.#contextOf(test, cluster);
  }

  rows(): readonly SuiteRow[] {
    return this.#test.results.flatMap((expected, index) => {
      const names = expected.resources.length === 0 ? [undefined] : expected.resources;
      return names.map((name): SuiteRow => {
        const { policy, rule } = expected;
        const shown =
          name === undefined ? '*' : [name.namespace, name.name].filter((part) => part !== undefined).join('/');
        const row = { name: `${policy}${rule === '' ? '' : `/${rule}`} ${shown}`, at: ['results', index] };
        const outcome = this.#outcome(expected, name);
        return outcome === undefined ? row : { ...row, ...outcome };
      });
    });
  }

  #outcome(
    expected: ExpectedResult,
    name: ExpectedResult['resources'][number] | undefined,
  ): Pick<SuiteRow, 'problem' | 'notRun'> | undefined {
    const problem = (message: string) => ({ problem: { message } });
    if (!this.#policies.some((policy) => isNamed(policy, expected))) {
      return problem(`there is no policy \`${expected.policy}\` in the files of the suite`);
    }
    const isMeant = (object: JsonObject, path: string): boolean => {
      if (name === undefined) return true;
      if (path !== '') return [name.name, `${name.namespace ?? ''}/${name.name}`].includes(path);
      const metadata = objectOrEmpty(object.get('metadata'));
      if (textField(metadata, 'name') !== name.name) return false;
      if (name.namespace !== undefined && textField(metadata, 'namespace') !== name.namespace) return false;
      return name.apiVersion === undefined || textField(object, 'apiVersion') === name.apiVersion;
    };
    const meant = this.#subjects.filter(({ object, path }) => isMeant(object, path));
    const ofKind = meant.filter(({ object }) => textField(object, 'kind') === expected.kind);
    const targeted = this.#subjects.flatMap((subject) =>
      this.#responsesOf(subject, expected.operation).filter(({ policy, patchedTarget }) => {
        return patchedTarget !== undefined && isNamed(policy, expected) && isMeant(patchedTarget, '');
      }),
    );
    // As in the CLI, a name that matches nothing selects everything.
    const subjects = meant.length + targeted.length === 0 ? this.#subjects : ofKind.length > 0 ? ofKind : meant;
    const asked = subjects.flatMap((subject) =>
      this.#responsesOf(subject, expected.operation).filter((response) => isAsked(response, expected)),
    );
    const checks = [
      ...asked.map((response) => this.#check(response, response.patched, expected)),
      ...targeted.map((response) => this.#check(response, response.patchedTarget as JsonObject, expected)),
    ];
    const left = checks.filter((check) => check !== 'missing');
    if (left.length > 0) {
      const found = left.filter((check) => check !== undefined);
      return found.find((check) => 'problem' in check) ?? found[0];
    }
    if (checks.length > 0) return undefined;
    const silence = this.#silences.get(expected.policy);
    if (silence?.isRefusal === false) return { notRun: silence.reason };
    if (expected.result === 'skip') return undefined;
    if (silence !== undefined) return problem(silence.reason);
    if (this.#subjects.length === 0 && this.#test.servicePayloads.length > 0) {
      return { notRun: 'only requests of the API server are supported' };
    }
    return problem('no rule has a result');
  }

  /** `missing`: the files do not contain the object. The CLI ignores that. */
  #check(
    response: Response,
    patched: JsonObject,
    expected: ExpectedResult,
  ): { readonly problem: NonNullable<SuiteRow['problem']> } | { readonly notRun: string } | 'missing' | undefined {
    const status = reported(response);
    const problem = (message: string) => ({ problem: { message } });
    if (expected.patchedResources !== '' && response.type === 'Mutation') {
      const isHeld = textField(response.policy, 'kind') === 'MutatingAdmissionPolicy';
      const compared = this.#compare(patched, [expected.patchedResources], isHeld);
      if (compared === 'missing' && !expected.failsOnMissingResources) return 'missing';
      if (compared !== undefined) return problem(`the patched object differs: ${compared}`);
    }
    if (expected.generatedResources.length > 0 && response.type === 'Generation') {
      for (const generated of response.generated ?? []) {
        const compared = this.#compare(generated, expected.generatedResources, false);
        if (compared !== undefined) return problem(`the generated object differs: ${compared}`);
      }
    }
    if (status === expected.result) return undefined;
    // E.g. image signatures, which the CLI verifies with a registry.
    if (status === 'unknown') return { notRun: `depends on a cluster or the network: ${response.message}` };
    const actual = `${status}: ${response.message}`;
    return { problem: { message: 'unexpected result', expected: expected.result, actual } };
  }

  #compare(actual: JsonObject, files: readonly string[], isHeld: boolean): string | undefined {
    const key = keyOf(actual);
    const written = files.flatMap((file) => this.#read([file])).map((object) => this.#normal(object));
    const named = written.filter((object) => keyOf(object) === key);
    // The API server's own policies add defaults to an object.
    const found = isHeld ? named.map((object) => this.#normal(this.#surroundings.asHeld(object))) : named;
    if (found.length === 0) return 'missing';

    return found.some((object) => isSame(tidy(labelled(object)) ?? null, tidy(labelled(actual)) ?? null))
      ? undefined
      : key;
  }

  #responsesOf(subject: Subject, operation: string): readonly Response[] {
    const key = `${operation} ${this.#subjects.indexOf(subject)}`;
    let responses = this.#responses.get(key);
    if (responses === undefined) {
      responses = this.#ask(subject, operation);
      this.#responses.set(key, responses);
    }
    return responses;
  }

  #ask({ object, path }: Subject, operation: string): readonly Response[] {
    const responses: Response[] = [];
    let current = object;
    const context = operation === '' ? this.#context : new Map(this.#context).set('operation', operation);
    for (const written of this.#policies) {
      const policy = path === '' ? written : withoutConstraints(written);
      const isJson = textField(objectOrEmpty(specOf(policy).get('evaluation')), 'mode') === 'JSON';
      const isDeleting = /DeletingPolicy$/.test(textField(policy, 'kind'));
      if (path !== '' && !isJson && !isDeleting) continue;
      const given = new Map(context).set('cloneSources', this.#cloneSources(policy));
      const question: PolicyQuestion = {
        policy,
        resource: current,
        context: given,
        engine: 'cli-test',
        extraDocs: this.#bindings,
      };
      const answer = this.#answerOf(question);
      this.#noteSilence(written, answer);
      if (isJsonObject(answer.patched ?? null)) current = answer.patched as JsonObject;
      for (const result of answer.results) responses.push({ ...result, policy, patched: current });
    }
    return responses;
  }

  #answerOf(question: PolicyQuestion): PolicyAnswer {
    if (isClassic(question.policy)) return answerClassic(question, this.#tools);
    const kind = textField(question.policy, 'kind');
    if (/^(?:Namespaced)?(?:Validating|ImageValidating|Mutating|Generating|Deleting)Policy$/.test(kind)) {
      return answerCel(question, this.#tools);
    }
    return /AdmissionPolicy$/.test(kind) ? this.#serverAnswer(question) : { outcome: 'unsupported', results: [] };
  }

  #serverAnswer({ policy, resource, context }: PolicyQuestion): PolicyAnswer {
    const answer = this.#surroundings.askServer({
      policy,
      bindings: this.#bindings,
      object: objectOrEmpty(resource),
      params: objectItems(context.get('params')),
      context,
    });
    if (answer === undefined) return { outcome: 'no-response', results: [] };
    if ('notRun' in answer) return { outcome: answer.notRun, results: [] };
    const { status, message, patched } = answer;
    const type = textField(policy, 'kind') === 'MutatingAdmissionPolicy' ? 'Mutation' : 'Validation';
    const rule = textField(objectOrEmpty(policy.get('metadata')), 'name');
    return { outcome: 'evaluated', results: [{ rule, type, status, message }], ...(patched && { patched }) };
  }

  #noteSilence(policy: JsonObject, { outcome, refused, applyError }: PolicyAnswer): void {
    if (outcome === 'evaluated' || outcome === 'no-response') return;
    const name = textField(objectOrEmpty(policy.get('metadata')), 'name');
    const isRefusal = ['load-error', 'refused', 'apply-error'].includes(outcome);
    const words = refused ?? applyError ?? '';
    const reason = isRefusal
      ? `Kyverno rejects the policy${words === '' ? '' : `: ${words}`}`
      : (REASONS.get(outcome) ?? outcome).replace('KIND', textField(policy, 'kind'));
    this.#silences.set(name, { reason, isRefusal });
  }

  #cloneSources(policy: JsonObject): readonly JsonObject[] {
    const named = this.#test.results.filter(
      (expected) => isNamed(policy, expected) && expected.cloneSourceResource !== '',
    );
    return named.flatMap(({ cloneSourceResource }) => this.#read([cloneSourceResource]));
  }

  #read(paths: readonly string[]): readonly JsonObject[] {
    return paths.flatMap((path) => this.#surroundings.read(path));
  }

  #contextOf(test: KyvernoTest, cluster: readonly JsonObject[]): JsonObject {
    const context = new Map<string, JsonValue>();
    const add = (field: string, value: JsonValue | undefined): void => {
      if (value !== undefined && !(isJsonArray(value) && value.length === 0)) context.set(field, value);
    };
    const values = test.variables === '' ? [] : this.#read([test.variables]);
    add('values', test.values ?? values[0]);
    add('userInfo', test.userInfo === '' ? undefined : this.#read([test.userInfo])[0]);
    add('exceptions', this.#read(test.exceptions));
    const held = cluster.flatMap((spec) => objectItems(spec.get('resources')));
    if (test.clusterResources.length > 0) {
      add('clusterResources', [
        ...held,
        ...this.#subjects.map(({ object }) => object),
        ...this.#read(test.targetResources),
      ]);
    }
    add('now', this.#surroundings.seconds);
    add('crds', this.#definitions);
    add('params', this.#read(test.paramResources));
    add(
      'targets',
      this.#read(test.targetResources).map((object) => this.#normal(object)),
    );
    add('celContext', test.context === '' ? undefined : specOf(this.#read([test.context])[0] ?? new Map()));
    add('apiCallResponses', test.apiCallResponses);
    add(
      'globalContextEntries',
      test.globalContextEntries.map((entry) => this.#globalEntry(entry)),
    );
    return context;
  }

  #globalEntry(entry: JsonObject): JsonObject {
    const files = textItems(entry.get('resourceFiles'));
    let data: JsonValue = entry.get('data') ?? entry.get('resources') ?? this.#read(files);
    const ask = (query: string, value: JsonValue): JsonValue => {
      const compiled = compileQuery(query);
      const found = 'search' in compiled ? compiled.search(withDoubles(value), this.#tools.search) : null;
      return found instanceof SearchError ? null : found;
    };
    const fieldPath = textField(entry, 'fieldPath');
    if (fieldPath !== '') data = ask(fieldPath, data);
    const projections = objectItems(entry.get('projections'));
    if (projections.length > 0) {
      const whole = data;
      data = new Map(projections.map((each) => [textField(each, 'name'), ask(textField(each, 'path'), whole)]));
    }
    return new Map<string, JsonValue>([
      ['name', textField(entry, 'name')],
      ['data', data],
    ]);
  }

  /** Converts numbers to doubles, removes null containers, and adds the default namespace unless the kind is cluster-scoped. */
  #normal(object: JsonObject): JsonObject {
    const filled = objectOrEmpty(withoutNulls(withDoubles(object)));
    const metadata = objectOrEmpty(filled.get('metadata'));
    if (textField(metadata, 'namespace') !== '' || this.#isClusterScoped(object)) return filled;
    return new Map(filled).set('metadata', new Map(metadata).set('namespace', 'default'));
  }

  #isClusterScoped(object: JsonObject): boolean {
    const groupVersion = parseApiVersion(textField(object, 'apiVersion'));
    if (groupVersion === undefined) return false;
    const kind = textField(object, 'kind');
    const builtin = this.#tools.builtin.resourceForKind({ ...groupVersion, kind });
    if (builtin !== undefined) return !builtin.namespaced;
    return this.#definitions.some((definition) => {
      const spec = specOf(definition);
      return textField(objectOrEmpty(spec.get('names')), 'kind') === kind && textField(spec, 'scope') === 'Cluster';
    });
  }
}

/** The CLI treats objects with equal kind, namespace and name as one. */
function distinct(subjects: readonly Subject[]): readonly Subject[] {
  const seen = new Map<string, Subject>();
  for (const subject of subjects) if (!seen.has(keyOf(subject.object))) seen.set(keyOf(subject.object), subject);
  return [...seen.values()];
}

function keyOf(object: JsonObject): string {
  const metadata = objectOrEmpty(object.get('metadata'));
  const names = [textField(metadata, 'namespace'), textField(metadata, 'name')];
  return [textField(object, 'apiVersion'), textField(object, 'kind'), ...names].join(',');
}

function isNamed(policy: JsonObject, { policy: name }: ExpectedResult): boolean {
  return textField(objectOrEmpty(policy.get('metadata')), 'name') === name;
}

function isAsked({ policy, rule, patchedTarget }: Response, expected: ExpectedResult): boolean {
  if (!isNamed(policy, expected) || (patchedTarget !== undefined && expected.patchedResources !== '')) return false;
  if (expected.rule === '' || !isClassic(policy)) return true;
  return [expected.rule, `autogen-${expected.rule}`, `autogen-cronjob-${expected.rule}`].includes(rule);
}

/** A payload has no kind that constraints could match. */
function withoutConstraints(policy: JsonObject): JsonObject {
  const spec = new Map(specOf(policy));
  return new Map(policy).set('spec', spec.has('matchConstraints') ? spec : spec.set('matchConstraints', new Map()));
}

/** The status as in a policy report. */
function reported({ policy, status }: Response): string {
  const annotations = objectOrEmpty(objectOrEmpty(policy.get('metadata')).get('annotations'));
  if (status === 'fail' && textField(annotations, 'policies.kyverno.io/scored') === 'false') return 'warn';
  return status === 'warning' ? 'warn' : status;
}

/** Removes empty values. */
function tidy(value: JsonValue): JsonValue | undefined {
  if (isJsonArray(value)) {
    const items = value.flatMap((item) => tidy(item) ?? []);
    return items.length === 0 ? undefined : items;
  }
  if (!isJsonObject(value)) return value ?? undefined;
  const fields = [...value].flatMap(([key, item]): [string, JsonValue][] => {
    const tidied = tidy(item);
    return tidied === undefined ? [] : [[key, tidied]];
  });
  return fields.length === 0 ? undefined : new Map(fields);
}

/** Labels about the generator are not compared. */
function labelled(object: JsonObject): JsonObject {
  const metadata = objectOrEmpty(object.get('metadata'));
  const own = [...objectOrEmpty(metadata.get('labels'))].filter(([key]) => !key.startsWith('generate.kyverno.io/'));
  const labels = new Map<string, JsonValue>([['app.kubernetes.io/managed-by', 'kyverno'], ...own]);
  return new Map(object).set('metadata', new Map(metadata).set('labels', labels));
}

const MAPS: readonly string[] = ['annotations', 'labels', 'matchLabels', 'nodeSelector', 'data', 'stringData'];

function withoutNulls(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  return new Map(
    [...value].map(([key, item]): [string, JsonValue] => {
      return [key, item === null && MAPS.includes(key) ? new Map() : withoutNulls(item)];
    }),
  );
}
