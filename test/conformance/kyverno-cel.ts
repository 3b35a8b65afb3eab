// Answers recorded lines of Kyverno's CEL policy types.
import { Timestamp } from '../../src/cel/value/scalar.ts';
import { ErrorValue } from '../../src/cel/value/value.ts';
import type { AdmissionRequest, Operation } from '../../src/kubernetes/admission-request.ts';
import { aggregateErrors } from '../../src/kubernetes/aggregate-errors.ts';
import { formatFieldError } from '../../src/kubernetes/field-error.ts';
import { type GroupVersionKind, parseApiVersion } from '../../src/kubernetes/group-version.ts';
import { BuiltinMergeTypes } from '../../src/kubernetes/patch/builtin-merge-type.ts';
import { type MergeType, UNTYPED_DEDUCED } from '../../src/kubernetes/patch/merge-type.ts';
import { BuiltinResources } from '../../src/kubernetes/schema/resources.ts';
import { SchemaCatalog } from '../../src/kubernetes/schema/schema-catalog.ts';
import { DEFAULT_VERSION } from '../../src/kubernetes/version.ts';
import { readCelPolicy, type WrittenCelPolicy } from '../../src/policy/kyverno/cel-policy/cel-policy.ts';
import type { CelRefusal } from '../../src/policy/kyverno/cel-policy/cel-refusal.ts';
import type { CelPolicySubject, CelResponse } from '../../src/policy/kyverno/cel-policy/cel-response.ts';
import { compileDeletingPolicy } from '../../src/policy/kyverno/cel-policy/deleting-policy.ts';
import { compileGeneratingPolicy, GeneratingPolicy } from '../../src/policy/kyverno/cel-policy/generating-policy.ts';
import { KyvernoEnvironments } from '../../src/policy/kyverno/cel-policy/kyverno-environment.ts';
import { compileMutatingPolicy, MutatingPolicy } from '../../src/policy/kyverno/cel-policy/mutating-policy.ts';
import type { CelSources } from '../../src/policy/kyverno/cel-policy/sources.ts';
import { compileValidatingPolicy } from '../../src/policy/kyverno/cel-policy/validating-policy.ts';
import { KyvernoDefinitions } from '../../src/policy/kyverno/definitions.ts';
import { isSame } from '../../src/policy/kyverno/mutate/mutate-resource.ts';
import { Undecided } from '../../src/policy/kyverno/rule/rule-response.ts';
import type { JsonObject, JsonValue } from '../../src/source/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../src/source/json-field.ts';
import type { KyvernoAnswer, KyvernoCache, KyvernoLine, RuleAnswer } from './kyverno.ts';
import { subresourceKind, withDoubles } from './kyverno-classic.ts';

const ENVIRONMENTS = new KyvernoEnvironments(DEFAULT_VERSION);
const DEFINITIONS = new KyvernoDefinitions(DEFAULT_VERSION);
const BUILTIN = new BuiltinResources(32);

export function answerCel(line: KyvernoLine, cache: KyvernoCache): KyvernoAnswer {
  const written = readCelPolicy(line.policy);
  const key = `cel ${JSON.stringify([line.policy, line.context.get('exceptions') ?? null], replacer)}`;
  let compiled = cache.get(key) as ReturnType<typeof compile> | undefined;
  if (compiled === undefined) {
    compiled = compile(line);
    cache.set(key, compiled);
  }
  if ('outcome' in compiled) return compiled;
  if ('errors' in compiled) {
    return { outcome: 'apply-error', results: [], applyError: refusalText(written, compiled) };
  }
  try {
    const subject = subjectOf(line);
    if (compiled instanceof MutatingPolicy) return mutationAnswer(compiled, subject, line);
    let results: readonly CelResponse[];
    if (compiled instanceof GeneratingPolicy) {
      // The command line's printer does not know policies of a Namespace that generate.
      if (written.namespace !== '') return { outcome: 'panic', results: [] };
      results = compiled.generate(subject).responses;
    } else results = compiled.evaluate(subject);
    return { outcome: results.length === 0 ? 'no-response' : 'evaluated', results };
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    return { outcome: 'undecided', results: [] };
  }
}

function compile({ policy, context }: KyvernoLine) {
  const exceptions = objectItems(context.get('exceptions'));
  const isUnknown =
    textField(policy, 'apiVersion').endsWith('v1alpha1') && textField(policy, 'kind').startsWith('Namespaced');
  if (isUnknown || DEFINITIONS.errorsOf(policy).length > 0) return { outcome: 'load-error', results: [] };
  const compilePolicy = COMPILERS[textField(policy, 'kind').replace('Namespaced', '') as keyof typeof COMPILERS];
  return compilePolicy(policy, exceptions, ENVIRONMENTS);
}

const COMPILERS = {
  ValidatingPolicy: compileValidatingPolicy,
  MutatingPolicy: compileMutatingPolicy,
  GeneratingPolicy: compileGeneratingPolicy,
  DeletingPolicy: compileDeletingPolicy,
} as const;

const CATALOG = new SchemaCatalog(32);
const MERGE_TYPES = new BuiltinMergeTypes();

/** The command line patches the targets it was given at once. */
function mutationAnswer(policy: MutatingPolicy, subject: CelPolicySubject, line: KyvernoLine): KyvernoAnswer {
  const mergeTypeOf = (kind: GroupVersionKind): MergeType | undefined => {
    const struct = CATALOG.structForKind(kind);
    if (struct !== undefined) return MERGE_TYPES.of(struct);
    return definedPlural(kind, line) === undefined ? undefined : UNTYPED_DEDUCED;
  };
  const mutated = policy.mutate(subject, mergeTypeOf);
  const { object } = mutated;
  const targets = objectItems(line.context.get('targets')).map((target) => {
    const kind = kindOf(target);
    return { object: target, kind, resource: { ...kind, resource: pluralOf(kind, line) } };
  });
  const responses: readonly RuleAnswer[] = [
    ...mutated.responses,
    ...policy.mutateTargets(subject, targets, mergeTypeOf).map(({ response, object: patchedTarget }) => {
      return patchedTarget === undefined ? response : { ...response, patchedTarget };
    }),
  ];
  const before = subject.request.object;
  const isPatched = object !== null && before !== null && !isSame(object, before);
  const outcome = responses.length === 0 ? 'no-response' : 'evaluated';
  return { outcome, results: responses, ...(isPatched ? { patched: object } : {}) };
}

export function subjectOf(line: KyvernoLine): CelPolicySubject {
  const resource = objectOrEmpty(line.resource);
  const metadata = objectOrEmpty(resource.get('metadata'));
  const part = subresourceKind(line, kindOf(resource));
  const kind = part ?? kindOf(resource);
  const operation = operationOf(line);
  const namespace = textField(metadata, 'namespace');
  const user = objectOrEmpty(objectOrEmpty(line.context.get('userInfo')).get('userInfo'));
  const groups = user.get('groups');
  const request: AdmissionRequest = {
    operation,
    kind,
    resource: { group: kind.group, version: kind.version, resource: pluralOf(kind, line) },
    subResource: part?.subresource ?? '',
    name: textField(metadata, 'name'),
    namespace,
    object: operation === 'DELETE' ? null : resource,
    oldObject: operation === 'CREATE' ? null : resource,
    options: null,
    dryRun: false,
    userInfo: {
      username: textField(user, 'username'),
      uid: textField(user, 'uid'),
      groups: Array.isArray(groups) ? groups.map(String) : [],
      extra: new Map(),
    },
  };
  const namespaceObject = namespace === '' ? null : namespaceOf(line, namespace);
  const labels =
    namespaceObject === null
      ? new Map([['kubernetes.io/metadata.name', namespace]])
      : objectOrEmpty(objectOrEmpty(namespaceObject.get('metadata')).get('labels'));
  return {
    request,
    namespaceObject,
    namespaceLabels: labels as ReadonlyMap<string, string>,
    sources: sourcesOf(line),
  };
}

function kindOf(resource: JsonObject): GroupVersionKind {
  const { group, version } = parseApiVersion(textField(resource, 'apiVersion')) ?? { group: '', version: '' };
  return { group, version, kind: textField(resource, 'kind') };
}

function pluralOf(kind: GroupVersionKind, { context }: Pick<KyvernoLine, 'context'>): string {
  const builtin = BUILTIN.resourceForKind(kind);
  if (builtin !== undefined) return builtin.resource;
  const defined = definedPlural(kind, { context });
  if (defined !== undefined) return defined;
  const lower = kind.kind.toLowerCase();
  if (lower.endsWith('s')) return `${lower}es`;
  return lower.endsWith('y') ? `${lower.slice(0, -1)}ies` : `${lower}s`;
}

function definedPlural(kind: GroupVersionKind, { context }: Pick<KyvernoLine, 'context'>): string | undefined {
  const names = objectItems(context.get('crds')).map((definition) => {
    return objectOrEmpty(objectOrEmpty(definition.get('spec')).get('names'));
  });
  const found = names.find((each) => textField(each, 'kind') === kind.kind);
  return found && textField(found, 'plural');
}

function operationOf({ context }: KyvernoLine): Operation {
  const globals = objectOrEmpty(objectOrEmpty(context.get('values')).get('globalValues'));
  const asked = textField(context, 'operation') || textField(globals, 'request.operation');
  return asked === 'UPDATE' || asked === 'DELETE' ? asked : 'CREATE';
}

function namespaceOf({ context }: KyvernoLine, name: string): JsonObject | null {
  const values = objectOrEmpty(context.get('values'));
  const found = objectItems(values.get('namespaces')).find(
    (each) => textField(objectOrEmpty(each.get('metadata')), 'name') === name,
  );
  if (found !== undefined) return new Map<string, JsonValue>([...found, ['spec', new Map()], ['status', new Map()]]);
  const selector = objectItems(values.get('namespaceSelector')).find((each) => textField(each, 'name') === name);
  if (selector === undefined) return null;
  return new Map<string, JsonValue>([
    ['apiVersion', 'v1'],
    ['kind', 'Namespace'],
    [
      'metadata',
      new Map<string, JsonValue>([
        ['name', name],
        ['labels', objectOrEmpty(selector.get('labels'))],
      ]),
    ],
    ['spec', new Map()],
    ['status', new Map()],
  ]);
}

/** The recorder's client answers from the files it was given alone. */
function sourcesOf(line: KyvernoLine): CelSources {
  const { context } = line;
  const cel = objectOrEmpty(context.get('celContext'));
  const resources = [...objectItems(cel.get('resources')), ...objectItems(context.get('clusterResources'))];
  const of = (apiVersion: string, plural: string, namespace?: string): readonly JsonObject[] =>
    resources.filter((resource) => {
      if (textField(resource, 'apiVersion') !== apiVersion || pluralOf(kindOf(resource), line) !== plural) return false;
      return namespace === undefined || textField(objectOrEmpty(resource.get('metadata')), 'namespace') === namespace;
    });
  const unforeseeable = (what: string): never => {
    throw new Undecided(what);
  };
  return {
    resource: (apiVersion, plural, namespace, name) =>
      of(apiVersion, plural, namespace).find(
        (resource) => textField(objectOrEmpty(resource.get('metadata')), 'name') === name,
      ),
    resources: (apiVersion, plural, namespace) => {
      if (of(apiVersion, plural).length > 0) return of(apiVersion, plural, namespace);
      const group = parseApiVersion(apiVersion)?.group ?? '';
      return new ErrorValue(`${group === '' ? plural : `${plural}.${group}`} resource not found`);
    },
    resourceOfKind: (_apiVersion, kind) => unforeseeable(`the plural of ${kind}`),
    imageData: (image) => {
      const found = objectItems(cel.get('images')).find((each) => textField(each, 'image') === image);
      if (found === undefined) return new ErrorValue(`image data for ${image} not found in the context`);
      return withDoubles(found) as JsonObject;
    },
    globalReference: (name, projection) => {
      const entry = objectItems(context.get('globalContextEntries')).find((each) => textField(each, 'name') === name);
      if (entry === undefined) return null;
      const data = withDoubles(entry.get('data') ?? entry.get('resources') ?? null);
      if (projection === '') return data;
      const missing = `projection "${projection}" not found in global context entry "${name}"`;
      if (!(data instanceof Map)) return new ErrorValue(`${missing}: stored value is not an object`);
      return (data as JsonObject).get(projection) ?? new ErrorValue(missing);
    },
    http: (method, url) => {
      const calls = objectItems(context.get('apiCallResponses'));
      const urlOf = (each: JsonObject): string => textField(each, 'url') || textField(each, 'urlPath');
      const methodOf = (each: JsonObject): string => textField(each, 'method') || 'GET';
      const found = calls.find((each) => urlOf(each) === url && methodOf(each) === method);
      if (found === undefined) return unforeseeable(`what ${url} answers`);
      const response = objectOrEmpty(found.get('response'));
      return new Map<string, JsonValue>([
        ['statusCode', response.get('statusCode') ?? 200n],
        ['body', withDoubles(response.get('body') ?? null)],
      ]);
    },
    now: () => {
      const now = context.get('now');
      return new Timestamp(typeof now === 'bigint' ? now : 0n, 0);
    },
    unforeseeable,
  };
}

function replacer(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  return value instanceof Map ? [...value] : value;
}

/** What Kyverno says of a policy that does not compile. */
function refusalText({ name }: WrittenCelPolicy, { errors, preamble }: CelRefusal): string {
  const texts = [...(preamble === undefined ? [] : [preamble]), ...errors.map(formatFieldError)];
  return `failed to compile policy ${name} (${aggregateErrors(texts)})`;
}
