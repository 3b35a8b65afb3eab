// The results of Kyverno's CLI for ClusterPolicy and Policy, with the given values, objects and API responses.
import { append } from '../../../go/slices/append.ts';
import { type GroupVersionKind, kindKey } from '../../../kubernetes/api/group-version.ts';
import type { AdmissionRequest, Operation } from '../../../kubernetes/request/admission-request.ts';
import { compareUtf8, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../../../source/json/json-field.ts';
import { DenialWriter } from '../classic/denial-text.ts';
import { failsOnError, isEnforced } from '../classic/failure-action.ts';
import type { ContextSource } from '../context/context-entries.ts';
import { imagesLoader } from '../context/image-entry.ts';
import { compileException } from '../exception/policy-exception.ts';
import type { SearchEnvironment } from '../jmespath/search-environment.ts';
import type { RequestInfo } from '../matching/resource-filter.ts';
import { isSame } from '../mutate/mutate-resource.ts';
import { UNDECODABLE_CONDITIONS } from '../policy-validation/check-decoding.ts';
import { refusalOfPolicy } from '../policy-validation/validate-policy.ts';
import { backgroundRules } from '../rule/background-rules.ts';
import { CompiledPolicy } from '../rule/compiled-policy.ts';
import { mutatePolicy, mutateTargets, validatePolicy } from '../rule/evaluate-policy.ts';
import { namesOne, type TargetSource } from '../rule/mutate-existing.ts';
import type { PolicyContext } from '../rule/policy-context.ts';
import { KyvernoPanic, type RuleResponse } from '../rule/rule-response.ts';
import type { CelSettings } from '../validate/validate-cel.ts';
import { EvaluationContext } from '../variables/evaluation-context.ts';
import { type VariableError, variableFailure } from '../variables/variable-error.ts';
import type { PolicyAnswer, PolicyQuestion, SuiteTools } from './suite-answer.ts';

export function answerClassic(line: PolicyQuestion, tools: SuiteTools): PolicyAnswer {
  const key = JSON.stringify(line.policy, replacer);
  let loaded = tools.compiled.get(key) as LoadedPolicy | undefined;
  if (loaded === undefined) {
    loaded = load(line.policy, tools);
    tools.compiled.set(key, loaded);
  }
  if ('outcome' in loaded) return loaded;
  try {
    return evaluate(line, loaded, tools);
  } catch (error) {
    if (error instanceof KyvernoPanic) return { outcome: 'panic', results: [] };
    throw error;
  }
}

type LoadedPolicy = CompiledPolicy | PolicyAnswer;

function load(document: JsonObject, { definitions }: SuiteTools): LoadedPolicy {
  if (definitions.errorsOf(document).length > 0) return { outcome: 'load-error', results: [] };
  const refusal = refusalOfPolicy(document);
  if (refusal?.message === UNDECODABLE_CONDITIONS) return { outcome: 'load-error', results: [] };
  // The CLI has no client to compile webhook conditions.
  const hasConditions = objectItems(objectOrEmpty(specOf(document).get('webhookConfiguration')).get('matchConditions'));
  if (hasConditions.length > 0) return { outcome: 'panic', results: [] };
  if (refusal !== undefined) return { outcome: 'refused', results: [], refused: refusal.message };
  return new CompiledPolicy(document);
}

function specOf(document: JsonObject): JsonObject {
  return objectOrEmpty(document.get('spec'));
}

function evaluate(line: PolicyQuestion, policy: CompiledPolicy, tools: SuiteTools): PolicyAnswer {
  const exceptions = objectItems(line.context.get('exceptions')).map(compileException);
  const settings = { exceptions, source: sourceOf(line, policy), cel: celSettings(tools) };
  const context = contextOf(line, tools);
  const mutation = mutatePolicy(policy, context, settings);
  const { object } = mutation;
  const results = [...mutation.responses, ...mutateTargets(policy, context, settings, targetsOf(line))];
  if (object !== undefined || context.object === undefined) {
    const mutated = { ...context, object };
    if (object !== undefined) context.json.addResource(objectOrEmpty(numbersOf(line, object)));
    append(results, validatePolicy(policy, mutated, settings));
    // The CLI runs background rules only if the policy has a generate rule.
    if (hasGenerate(policy)) {
      const generated = backgroundRules(policy, mutated, settings);
      if (generated.some(({ computed, status }) => status === 'pass' && listsUnknownKinds(computed, context))) {
        return { outcome: 'panic', results: [] };
      }
      append(results, generated);
    }
  }
  const outcome = results.length === 0 ? 'no-response' : 'evaluated';
  const isPatched =
    object !== undefined && context.object !== undefined && !isSame(object, objectOrEmpty(line.resource));
  return { outcome, results, ...(isPatched ? { patched: object } : {}), ...denialOf(policy, results, context) };
}

/** The webhook's answer if a validate rule blocks. */
function denialOf(
  policy: CompiledPolicy,
  responses: readonly RuleResponse[],
  { object, oldObject, namespaceLabels }: PolicyContext,
): Pick<PolicyAnswer, 'blocked' | 'denialText'> {
  const subject = object ?? oldObject ?? new Map();
  const namespace = textField(objectOrEmpty(subject.get('metadata')), 'namespace');
  const failed = responses.filter(({ type, status }) => type !== 'Generation' && ['fail', 'error'].includes(status));
  const blocks = failed.some(({ status, computed }) => {
    if (status === 'error') return failsOnError(policy);
    return computed !== undefined && isEnforced(policy, computed, namespace, { namespaceLabels }) === true;
  });
  if (!blocks) return {};
  const rules = failed.map(({ rule, message }) => ({ policy: policy.name, rule, message }));
  return { blocked: true, denialText: new DenialWriter([policy.name]).write(subject, rules) };
}

/** Kinds that the CLI's client always knows (`pkg/clients/dclient/fake.go`). */
const KNOWN_KINDS: readonly string[] = [
  ...['ConfigMap', 'Endpoints', 'Namespace', 'ResourceQuota', 'Secret', 'ServiceAccount'],
  ...['DaemonSet', 'Deployment', 'StatefulSet'],
].map((kind) => kind.toLowerCase());

/** The CLI patches the given targets immediately. */
function targetsOf({ context }: PolicyQuestion): TargetSource {
  const objects = [...objectItems(context.get('targets')), ...objectItems(context.get('clusterResources'))];
  const kindOf = (object: JsonObject): string => textField(object, 'kind').toLowerCase();
  return (selection) => {
    const kind = selection.kind.kind.toLowerCase();
    const ofKind = objects.filter((object) => kindOf(object) === kind);
    if (ofKind.length === 0 && !KNOWN_KINDS.includes(kind)) return variableFailure('not found');
    if (!namesOne(selection)) return ofKind.sort((one, other) => compareUtf8(placeOf(one), placeOf(other)));
    const named = ofKind.filter((object) => placeOf(object) === `${selection.namespace}/${selection.name}`);
    return named.length > 0 ? named : variableFailure(`${kind}s "${selection.name}" not found`);
  };
}

function placeOf(object: JsonObject): string {
  const metadata = objectOrEmpty(object.get('metadata'));
  return `${textField(metadata, 'namespace')}/${textField(metadata, 'name')}`;
}

/** The CLI's client crashes if a loop clones lists of kinds: it registers only the rule's own kinds. */
function listsUnknownKinds(computed: RuleResponse['computed'], { json, kind }: PolicyContext): boolean {
  const generation = objectOrEmpty(computed?.value.get('generate'));
  return objectItems(generation.get('foreach')).some((loop) => {
    const kinds = textItems(objectOrEmpty(loop.get('cloneList')).get('kinds'));
    if (kinds.every((each) => each.split('/').at(-1) === kind.kind)) return false;
    const elements = json.query(textField(loop, 'list'));
    return isJsonArray(elements as JsonValue) && (elements as readonly JsonValue[]).length > 0;
  });
}

function hasGenerate(policy: CompiledPolicy): boolean {
  return policy.rulesFor(undefined).some(({ action }) => action?.form === 'generate');
}

function celSettings({ admissionEnvironments }: SuiteTools): CelSettings {
  return {
    environments: admissionEnvironments,
    authorization: () => ({ check: () => ({ decision: 'noOpinion', reason: '' }) }),
    // The CLI's client does not know the scope of kinds, nor custom kinds.
    params: {
      isNamespaced: ({ group }) => (group.endsWith('.example.com') ? { error: 'not found' } : false),
      list: () => [],
      isComplete: true,
    },
  };
}

function contextOf(line: PolicyQuestion, tools: SuiteTools): PolicyContext {
  const object = objectOrEmpty(line.resource);
  const operation = operationOf(line, textField(objectOrEmpty(object.get('metadata')), 'name'));
  const apiVersion = textField(object, 'apiVersion').split('/');
  const [group, version] = apiVersion.length > 1 ? apiVersion : ['', apiVersion[0]];
  const kind = { group: group ?? '', version: version ?? '', kind: textField(object, 'kind') };
  const metadata = objectOrEmpty(object.get('metadata'));
  const isNamespace = kind.kind === 'Namespace' && kind.group === '';
  const namespace = isNamespace ? '' : textField(metadata, 'namespace');
  const requestInfo = requestInfoOf(objectOrEmpty(line.context.get('userInfo')));
  const newObject = operation === 'DELETE' ? undefined : withGiven(line, 'object', object);
  const oldObject = operation === 'CREATE' ? undefined : withGiven(line, 'oldObject', object);
  const request: AdmissionRequest = {
    operation,
    kind,
    resource: { group: '', version: '', resource: '' },
    subResource: '',
    name: textField(metadata, 'name'),
    namespace,
    object: newObject ?? null,
    oldObject: oldObject ?? null,
    options: null,
    dryRun: false,
    userInfo: { username: requestInfo.username, uid: '', groups: requestInfo.groups, extra: new Map() },
  };
  return {
    request,
    object: newObject,
    oldObject,
    kind: subresourceKind(line, kind) ?? { ...kind, subresource: '' },
    operation,
    requestInfo,
    namespaceLabels: namespaceLabels(line, namespace),
    namespaceObject: namespace === '' ? undefined : new Map([['metadata', new Map([['name', namespace]])]]),
    json: jsonContextOf(line, request, tools),
  };
}

/** The admission context, overridden by given values. */
function jsonContextOf(
  line: PolicyQuestion,
  request: AdmissionRequest,
  { search, queries }: SuiteTools,
): EvaluationContext {
  const json = new EvaluationContext({ environment: { ...search, now: momentOf(line) }, queries });
  const info = line.context.get('userInfo');
  const isAdmission = line.engine.startsWith('admission');
  if (isAdmission) json.addRequest(admissionRequestObject(line, request));
  else addObjects(json, line, request);
  if (isAdmission || info !== undefined) {
    json.addUserInfo(objectOrEmpty(withDoubles(info ?? null)));
    json.addServiceAccount(textField(objectOrEmpty(objectOrEmpty(info).get('userInfo')), 'username'));
  }
  json.addLoader(imagesLoader(json, request.object ?? new Map(), search));
  for (const [key, value] of givenValues(line)) json.addVariable(fieldsOf(key), withDoubles(value));
  return json;
}

/** Only suites have a time: that of their run. */
function momentOf({ context }: PolicyQuestion): SearchEnvironment['now'] {
  const now = context.get('now');
  return typeof now === 'bigint' ? { seconds: Number(now), nanos: 0, offset: 0 } : undefined;
}

/** The CLI's context instead (`pkg/engine/policycontext`). */
function addObjects(
  json: EvaluationContext,
  line: PolicyQuestion,
  { object, oldObject, namespace, operation }: AdmissionRequest,
): void {
  if (object !== null) json.addResource(objectOrEmpty(numbersOf(line, object)));
  if (oldObject !== null) json.addOldResource(objectOrEmpty(numbersOf(line, oldObject)));
  json.addNamespace(namespace);
  json.addOperation(operation);
}

function admissionRequestObject(line: PolicyQuestion, request: AdmissionRequest): JsonObject {
  const { kind, resource } = request;
  return new Map<string, JsonValue>([
    ['uid', '00000000-0000-0000-0000-000000000000'],
    ['kind', new Map(Object.entries(kind))],
    ['resource', new Map(Object.entries(resource))],
    ['name', request.name],
    ['namespace', request.namespace],
    ['operation', request.operation],
    ['userInfo', new Map()],
    ['object', numbersOf(line, request.object)],
    ['oldObject', numbersOf(line, request.oldObject)],
    ['dryRun', false],
    ['options', null],
  ]);
}

/** Values define the kinds of subresources, with their parent resource. */
export function subresourceKind(
  { context }: PolicyQuestion,
  kind: GroupVersionKind,
): PolicyContext['kind'] | undefined {
  const entries = objectItems(objectOrEmpty(context.get('values')).get('subresources'));
  const kindOf = (value: JsonValue | undefined): GroupVersionKind => {
    const fields = objectOrEmpty(value);
    return {
      group: textField(fields, 'group'),
      version: textField(fields, 'version'),
      kind: textField(fields, 'kind'),
    };
  };
  const entry = entries.find((each) => kindKey(kindOf(each.get('subresource'))) === kindKey(kind));
  if (entry === undefined) return undefined;
  const [, subresource = ''] = textField(objectOrEmpty(entry.get('subresource')), 'name').split('/');
  return { ...kindOf(entry.get('parentResource')), subresource };
}

/** Splits a dotted name. Quotes protect dots. */
function fieldsOf(name: string): readonly string[] {
  return [...name.matchAll(/"((?:[^"]|"")*)"|([^.]+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}

/** Given values such as `request.object.x` become fields of the object. */
function withGiven(line: PolicyQuestion, side: string, object: JsonObject): JsonObject {
  let result = object;
  for (const [key, value] of givenValues(line)) {
    const [request, name, ...path] = fieldsOf(key);
    if (request === 'request' && name === side && path.length > 0) result = withField(result, path, value);
  }
  return result;
}

function withField(object: JsonObject, [field = '', ...rest]: readonly string[], value: JsonValue): JsonObject {
  return new Map(object).set(
    field,
    rest.length === 0 ? value : withField(objectOrEmpty(object.get(field)), rest, value),
  );
}

function givenValues({ context, policy, resource }: PolicyQuestion): ReadonlyMap<string, JsonValue> {
  const values = objectOrEmpty(context.get('values'));
  const given = new Map<string, JsonValue>(objectOrEmpty(values.get('globalValues')));
  const named = (object: JsonObject): string => textField(objectOrEmpty(object.get('metadata')), 'name');
  for (const entry of objectItems(values.get('policies'))) {
    if (textField(entry, 'name') !== named(policy)) continue;
    for (const each of objectItems(entry.get('resources'))) {
      if (textField(each, 'name') !== named(objectOrEmpty(resource))) continue;
      for (const [key, value] of objectOrEmpty(each.get('values'))) given.set(key, value);
    }
  }
  return given;
}

/** The given data: values of rules, ConfigMaps, API responses and global context entries. */
function sourceOf({ context, policy }: PolicyQuestion, compiled: CompiledPolicy): ContextSource {
  const resources = objectItems(context.get('clusterResources'));
  const calls = objectItems(context.get('apiCallResponses'));
  const entries = objectItems(context.get('globalContextEntries'));
  return {
    policyNamespace: compiled.namespace ?? '',
    initialize: (json, rule) => {
      for (const [key, value] of givenRuleValues(context, policy, rule)) {
        json.addVariable(fieldsOf(key), withDoubles(value));
      }
    },
    ...(calls.length === 0 ? {} : { givenApiCall: (call, entry) => givenCall(calls, call, entry) }),
    ...(entries.length === 0 ? {} : { globalReference: (name) => givenEntry(entries, name) }),
    ...(resources.length === 0
      ? {}
      : {
          configMap: (namespace, name) => configMapOf(resources, namespace, name),
          apiCall: (call) => clusterAnswer(resources, call),
        }),
  };
}

function givenRuleValues(context: JsonObject, policy: JsonObject, rule: string): ReadonlyMap<string, JsonValue> {
  const given = new Map<string, JsonValue>();
  for (const entry of objectItems(objectOrEmpty(context.get('values')).get('policies'))) {
    if (textField(entry, 'name') !== textField(objectOrEmpty(policy.get('metadata')), 'name')) continue;
    for (const each of objectItems(entry.get('rules'))) {
      if (textField(each, 'name') !== rule.replace(/^autogen-(cronjob-)?/, '')) continue;
      for (const [key, value] of objectOrEmpty(each.get('values'))) given.set(key, value);
      for (const [key, value] of objectOrEmpty(each.get('foreachValues'))) {
        given.set(key, isJsonArray(value) ? (value[0] ?? null) : value);
      }
    }
  }
  return given;
}

function givenCall(
  calls: readonly JsonObject[],
  call: JsonObject,
  entry: string,
): { readonly body: JsonValue } | VariableError | undefined {
  const url = textField(objectOrEmpty(call.get('service')), 'url') || textField(call, 'urlPath');
  const method = textField(call, 'method') || 'GET';
  const urlOf = (each: JsonObject): string => textField(each, 'url') || textField(each, 'urlPath');
  const found =
    calls.find((each) => urlOf(each) === url && textField(each, 'method') === method) ??
    calls.find((each) => urlOf(each) === url && textField(each, 'method') === '');
  if (found === undefined) return undefined;
  const response = objectOrEmpty(found.get('response'));
  const status = Number(response.get('statusCode') ?? 200);
  if (status >= 200 && status < 300) return { body: withDoubles(response.get('body') ?? null) };
  return variableFailure(
    `HTTP ${status} from apiCall mock for context entry "${entry}" (v1 apiCall treats non-2xx as failure)`,
  );
}

function givenEntry(entries: readonly JsonObject[], name: string): JsonValue | VariableError {
  const found = entries.find((entry) => textField(entry, 'name') === name);
  if (found === undefined) return variableFailure(`failed to fetch entry key=${name}`);
  return withDoubles(found.get('data') ?? found.get('resources') ?? null);
}

function configMapOf(resources: readonly JsonObject[], namespace: string, name: string): JsonObject | VariableError {
  const found = resources.find((resource) => {
    const metadata = objectOrEmpty(resource.get('metadata'));
    const isHere = textField(metadata, 'namespace') === namespace && textField(metadata, 'name') === name;
    return isHere && textField(resource, 'kind') === 'ConfigMap';
  });
  if (found === undefined) return variableFailure(`configmaps "${name}" not found`);
  return new Map([
    ['data', found.get('data') ?? null],
    ['metadata', found.get('metadata') ?? null],
  ]);
}

function clusterAnswer(resources: readonly JsonObject[], call: JsonObject): JsonValue | VariableError {
  const path = textField(call, 'urlPath');
  const parts = path.split('/').filter((part) => part !== '');
  const apiVersion = parts[0] === 'api' ? parts[1] : `${parts[1]}/${parts[2]}`;
  const rest = parts.slice(parts[0] === 'api' ? 2 : 3);
  const isNamespaced = rest[0] === 'namespaces' && rest.length > 2;
  const namespace = isNamespaced ? rest[1] : undefined;
  const [plural = '', name] = isNamespaced ? rest.slice(2) : rest;
  const found = resources.filter((resource) => {
    const metadata = objectOrEmpty(resource.get('metadata'));
    if (textField(resource, 'apiVersion') !== apiVersion) return false;
    const kind = textField(resource, 'kind').toLowerCase();
    if (![`${kind}s`, `${kind}es`].includes(plural)) return false;
    if (namespace !== undefined && textField(metadata, 'namespace') !== namespace) return false;
    return name === undefined || textField(metadata, 'name') === name;
  });
  if (name === undefined) return new Map([['items', withDoubles(found)]]);
  return found[0] === undefined ? variableFailure(`${plural} "${name}" not found`) : withDoubles(found[0]);
}

function operationOf({ context, policy }: PolicyQuestion, resourceName: string): Operation {
  const own = textField(context, 'operation');
  if (own === 'CREATE' || own === 'UPDATE' || own === 'DELETE') return own;
  const values = objectOrEmpty(context.get('values'));
  let operation = textField(objectOrEmpty(values.get('globalValues')), 'request.operation');
  for (const entry of objectItems(values.get('policies'))) {
    if (textField(entry, 'name') !== textField(objectOrEmpty(policy.get('metadata')), 'name')) continue;
    for (const resource of objectItems(entry.get('resources'))) {
      if (textField(resource, 'name') !== resourceName) continue;
      operation = textField(objectOrEmpty(resource.get('values')), 'request.operation') || operation;
    }
  }
  return operation === 'UPDATE' || operation === 'DELETE' ? operation : 'CREATE';
}

function requestInfoOf(info: JsonObject): RequestInfo {
  const user = objectOrEmpty(info.get('userInfo'));
  const [roles, clusterRoles] = [textItems(info.get('roles')), textItems(info.get('clusterRoles'))];
  const [username, groups] = [textField(user, 'username'), textItems(user.get('groups'))];
  const isEmpty = roles.length === 0 && clusterRoles.length === 0 && username === '' && groups.length === 0;
  return { username, groups, roles, clusterRoles, isEmpty };
}

function namespaceLabels({ context }: PolicyQuestion, namespace: string): ReadonlyMap<string, string> {
  const values = objectOrEmpty(context.get('values'));
  const labels = new Map<string, ReadonlyMap<string, string>>();
  for (const entry of objectItems(values.get('namespaceSelector'))) {
    labels.set(textField(entry, 'name'), objectOrEmpty(entry.get('labels')) as ReadonlyMap<string, string>);
  }
  for (const entry of objectItems(values.get('namespaces'))) {
    const metadata = objectOrEmpty(entry.get('metadata'));
    labels.set(textField(metadata, 'name'), objectOrEmpty(metadata.get('labels')) as ReadonlyMap<string, string>);
  }
  return labels.get(namespace) ?? new Map();
}

function replacer(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`;
  return value instanceof Map ? [...value] : value;
}

/** Admission decodes numbers as doubles. The CLI keeps integers. */
function numbersOf({ engine }: PolicyQuestion, value: JsonValue): JsonValue {
  return engine === 'admission' ? withDoubles(value) : value;
}

export function withDoubles(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return Number(value);
  if (isJsonArray(value)) return value.map(withDoubles);
  if (!isJsonObject(value)) return value;
  return new Map([...value].map(([key, item]): [string, JsonValue] => [key, withDoubles(item)]));
}
