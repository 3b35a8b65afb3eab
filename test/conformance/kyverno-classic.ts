// Answers recorded lines of ClusterPolicy and Policy.
import type { AdmissionRequest, Operation } from '../../src/kubernetes/admission-request.ts';
import { AdmissionEnvironments } from '../../src/kubernetes/cel/admission-environment.ts';
import { DEFAULT_VERSION } from '../../src/kubernetes/version.ts';
import { compileException } from '../../src/policy/kyverno/exception/policy-exception.ts';
import type { RequestInfo } from '../../src/policy/kyverno/matching/resource-filter.ts';
import { CompiledPolicy } from '../../src/policy/kyverno/rule/compiled-policy.ts';
import { validatePolicy } from '../../src/policy/kyverno/rule/evaluate-policy.ts';
import type { PolicyContext } from '../../src/policy/kyverno/rule/policy-context.ts';
import { KyvernoPanic } from '../../src/policy/kyverno/rule/rule-response.ts';
import type { CelSettings } from '../../src/policy/kyverno/validate/validate-cel.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../src/source/json.ts';
import { objectItems, objectOrEmpty, textField, textItems } from '../../src/source/json-field.ts';
import type { KyvernoAnswer, KyvernoCache, KyvernoLine } from './kyverno.ts';

export function answerClassic(line: KyvernoLine, cache: KyvernoCache): KyvernoAnswer {
  const key = JSON.stringify(line.policy, replacer);
  let policy = cache.get(key);
  if (!(policy instanceof CompiledPolicy)) {
    policy = new CompiledPolicy(line.policy);
    cache.set(key, policy);
  }
  try {
    return evaluate(line, policy as CompiledPolicy);
  } catch (error) {
    if (error instanceof KyvernoPanic) return { outcome: 'panic', results: [] };
    throw error;
  }
}

function evaluate(line: KyvernoLine, policy: CompiledPolicy): KyvernoAnswer {
  const exceptions = objectItems(line.context.get('exceptions')).map(compileException);
  const settings = { exceptions, source: {}, cel: CEL };
  const context = contextOf(line);
  const results = validatePolicy(policy, context, settings);
  return { outcome: results.length === 0 ? 'no-response' : 'evaluated', results };
}

const STUB_JSON = { checkpoint() {}, restore() {}, reset() {} } as unknown as PolicyContext['json'];

const CEL: CelSettings = {
  environments: new AdmissionEnvironments(DEFAULT_VERSION),
  authorization: () => ({ check: () => ({ decision: 'noOpinion', reason: '' }) }),
};

function contextOf(line: KyvernoLine): PolicyContext {
  const object = objectOrEmpty(line.resource);
  const operation = operationOf(line, textField(objectOrEmpty(object.get('metadata')), 'name'));
  const apiVersion = textField(object, 'apiVersion').split('/');
  const [group, version] = apiVersion.length > 1 ? apiVersion : ['', apiVersion[0]];
  const kind = { group: group ?? '', version: version ?? '', kind: textField(object, 'kind') };
  const metadata = objectOrEmpty(object.get('metadata'));
  const isNamespace = kind.kind === 'Namespace' && kind.group === '';
  const namespace = isNamespace ? '' : textField(metadata, 'namespace');
  const requestInfo = requestInfoOf(objectOrEmpty(line.context.get('userInfo')));
  const newObject = operation === 'DELETE' ? undefined : object;
  const oldObject = operation === 'CREATE' ? undefined : object;
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
    kind: { ...kind, subresource: '' },
    operation,
    requestInfo,
    namespaceLabels: namespaceLabels(line, namespace),
    namespaceObject: namespace === '' ? undefined : new Map([['metadata', new Map([['name', namespace]])]]),
    json: STUB_JSON,
  };
}

function operationOf({ context, policy }: KyvernoLine, resourceName: string): Operation {
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

export function requestInfoOf(info: JsonObject): RequestInfo {
  const user = objectOrEmpty(info.get('userInfo'));
  const [roles, clusterRoles] = [textItems(info.get('roles')), textItems(info.get('clusterRoles'))];
  const [username, groups] = [textField(user, 'username'), textItems(user.get('groups'))];
  const isEmpty = roles.length === 0 && clusterRoles.length === 0 && username === '' && groups.length === 0;
  return { username, groups, roles, clusterRoles, isEmpty };
}

function namespaceLabels({ context }: KyvernoLine, namespace: string): ReadonlyMap<string, string> {
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

export function withDoubles(value: JsonValue): JsonValue {
  if (typeof value === 'bigint') return Number(value);
  if (isJsonArray(value)) return value.map(withDoubles);
  if (!isJsonObject(value)) return value;
  return new Map([...value].map(([key, item]): [string, JsonValue] => [key, withDoubles(item)]));
}
