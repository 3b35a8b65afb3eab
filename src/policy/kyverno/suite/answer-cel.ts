// The results of Kyverno's CLI for Kyverno's CEL policy types.
import { Timestamp } from '../../../cel/value/scalar.ts';
import { ErrorValue } from '../../../cel/value/value.ts';
import { type GroupVersionKind, parseApiVersion } from '../../../kubernetes/api/group-version.ts';
import { type MergeType, UNTYPED_DEDUCED } from '../../../kubernetes/patch/merge-type.ts';
import type { AdmissionRequest, Operation } from '../../../kubernetes/request/admission-request.ts';
import { aggregateErrors } from '../../../kubernetes/validation/aggregate-errors.ts';
import { formatFieldError } from '../../../kubernetes/validation/field-error.ts';
import type { JsonObject, JsonValue } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import { readCelPolicy, type WrittenCelPolicy } from '../cel-policy/cel-policy.ts';
import type { CelRefusal } from '../cel-policy/cel-refusal.ts';
import type { CelPolicySubject, CelResponse } from '../cel-policy/cel-response.ts';
import { compileDeletingPolicy } from '../cel-policy/deleting-policy.ts';
import { compileGeneratingPolicy, GeneratingPolicy } from '../cel-policy/generating-policy.ts';
import { compileImageValidatingPolicy, ImageValidatingPolicy } from '../cel-policy/image-validating-policy.ts';
import { compileMutatingPolicy, MutatingPolicy } from '../cel-policy/mutating-policy.ts';
import type { CelSources } from '../cel-policy/sources.ts';
import { compileValidatingPolicy } from '../cel-policy/validating-policy.ts';
import { isSame } from '../mutate/mutate-resource.ts';
import { Undecided } from '../rule/rule-response.ts';
import { subresourceKind, withDoubles } from './answer-classic.ts';
import type { PolicyAnswer, PolicyQuestion, RuleAnswer, SuiteTools } from './suite-answer.ts';

export function answerCel(line: PolicyQuestion, tools: SuiteTools): PolicyAnswer {
  const written = readCelPolicy(line.policy);
  const key = `cel ${JSON.stringify([line.policy, line.context.get('exceptions') ?? null], replacer)}`;
  let compiled = tools.compiled.get(key) as ReturnType<typeof compile> | undefined;
  if (compiled === undefined) {
    compiled = compile(line, tools);
    tools.compiled.set(key, compiled);
  }
  if ('outcome' in compiled) return compiled;
  if ('errors' in compiled) {
    return { outcome: 'apply-error', results: [], applyError: refusalText(written, compiled) };
  }
  try {
    const subject = subjectOf(line, tools);
    if (compiled instanceof MutatingPolicy) return mutationAnswer(compiled, subject, line, tools);
    let results: readonly CelResponse[];
    if (compiled instanceof GeneratingPolicy) {
      // The CLI's printer does not support namespaced generating policies.
      if (written.namespace !== '') return { outcome: 'panic', results: [] };
      results = compiled.generate(subject).responses;
    } else if (compiled instanceof ImageValidatingPolicy) {
      results = compiled.evaluate(subject, { registry: undefined, isVerifiedElsewhere: false });
    } else results = compiled.evaluate(subject);
    return { outcome: results.length === 0 ? 'no-response' : 'evaluated', results };
  } catch (error) {
    if (!(error instanceof Undecided)) throw error;
    return { outcome: 'undecided', results: [] };
  }
}

function compile({ policy, context }: PolicyQuestion, { definitions, environments }: SuiteTools) {
  const exceptions = objectItems(context.get('exceptions'));
  const isUnknown =
    textField(policy, 'apiVersion').endsWith('v1alpha1') && textField(policy, 'kind').startsWith('Namespaced');
  if (isUnknown || definitions.errorsOf(policy).length > 0) return { outcome: 'load-error', results: [] };
  const compilePolicy = COMPILERS[textField(policy, 'kind').replace('Namespaced', '') as keyof typeof COMPILERS];
  return compilePolicy(policy, exceptions, environments);
}

const COMPILERS = {
  ValidatingPolicy: compileValidatingPolicy,
  MutatingPolicy: compileMutatingPolicy,
  GeneratingPolicy: compileGeneratingPolicy,
  DeletingPolicy: compileDeletingPolicy,
  ImageValidatingPolicy: compileImageValidatingPolicy,
} as const;

/** The CLI patches the given targets immediately. */
function mutationAnswer(
  policy: MutatingPolicy,
  subject: CelPolicySubject,
  line: PolicyQuestion,
  tools: SuiteTools,
): PolicyAnswer {
  const mergeTypeOf = (kind: GroupVersionKind): MergeType | undefined => {
    const struct = tools.catalog.structForKind(kind);
    if (struct !== undefined) return tools.mergeTypes.of(struct);
    return definedPlural(kind, line.context) === undefined ? undefined : UNTYPED_DEDUCED;
  };
  const mutated = policy.mutate(subject, mergeTypeOf);
  const { object } = mutated;
  const targets = objectItems(line.context.get('targets')).map((target) => {
    const kind = kindOf(target);
    return { object: target, kind, resource: { ...kind, resource: pluralOf(kind, line, tools) } };
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

export function subjectOf(line: PolicyQuestion, tools: SuiteTools): CelPolicySubject {
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
    resource: { group: kind.group, version: kind.version, resource: pluralOf(kind, line, tools) },
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
    sources: sourcesOf(line, tools),
  };
}

function kindOf(resource: JsonObject): GroupVersionKind {
  const { group, version } = parseApiVersion(textField(resource, 'apiVersion')) ?? { group: '', version: '' };
  return { group, version, kind: textField(resource, 'kind') };
}

function pluralOf(kind: GroupVersionKind, { context }: PolicyQuestion, { builtin }: SuiteTools): string {
  const known = builtin.resourceForKind(kind);
  if (known !== undefined) return known.resource;
  const defined = definedPlural(kind, context);
  if (defined !== undefined) return defined;
  const lower = kind.kind.toLowerCase();
  if (lower.endsWith('s')) return `${lower}es`;
  return lower.endsWith('y') ? `${lower.slice(0, -1)}ies` : `${lower}s`;
}

function definedPlural(kind: GroupVersionKind, context: JsonObject): string | undefined {
  const names = objectItems(context.get('crds')).map((definition) => {
    return objectOrEmpty(objectOrEmpty(definition.get('spec')).get('names'));
  });
  const found = names.find((each) => textField(each, 'kind') === kind.kind);
  return found && textField(found, 'plural');
}

function operationOf({ context }: PolicyQuestion): Operation {
  const globals = objectOrEmpty(objectOrEmpty(context.get('values')).get('globalValues'));
  const asked = textField(context, 'operation') || textField(globals, 'request.operation');
  return asked === 'UPDATE' || asked === 'DELETE' ? asked : 'CREATE';
}

function namespaceOf({ context }: PolicyQuestion, name: string): JsonObject | null {
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

/** The CLI's client uses only the given files. */
function sourcesOf(line: PolicyQuestion, tools: SuiteTools): CelSources {
  const { context } = line;
  const cel = objectOrEmpty(context.get('celContext'));
  const resources = [...objectItems(cel.get('resources')), ...objectItems(context.get('clusterResources'))];
  const of = (apiVersion: string, plural: string, namespace?: string): readonly JsonObject[] =>
    resources.filter((resource) => {
      if (textField(resource, 'apiVersion') !== apiVersion || pluralOf(kindOf(resource), line, tools) !== plural)
        return false;
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

/** Kyverno's message for a policy that does not compile. */
function refusalText({ name }: WrittenCelPolicy, { errors, preamble }: CelRefusal): string {
  const texts = [...(preamble === undefined ? [] : [preamble]), ...errors.map(formatFieldError)];
  return `failed to compile policy ${name} (${aggregateErrors(texts)})`;
}
