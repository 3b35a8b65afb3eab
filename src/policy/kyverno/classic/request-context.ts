// Turns a request into the input of Kyverno's rules: the document for variables, the user's roles, its Namespace.

import type { GroupVersionKind } from '../../../kubernetes/api/group-version.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import type { JsonObject, JsonValue } from '../../../source/json/json.ts';
import { compareUtf8 } from '../../../source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../../source/json/json-field.ts';
import { imagesLoader } from '../context/image-entry.ts';
import { asDoubles } from '../jmespath/as-doubles.ts';
import type { SearchEnvironment, SearchObserver } from '../jmespath/search-environment.ts';
import type { RequestInfo } from '../matching/resource-filter.ts';
import type { PolicyContext } from '../rule/policy-context.ts';
import { type ContextOptions, EvaluationContext } from '../variables/evaluation-context.ts';
import type { QueryCache } from '../variables/query-cache.ts';

export interface ContextParts {
  readonly environment: SearchEnvironment;
  readonly queries: QueryCache;
  readonly cluster: Cluster;
  readonly roles: UserRoles;
}

export function policyContext(
  request: AdmissionRequest,
  parts: ContextParts,
  observer?: SearchObserver,
): PolicyContext {
  const { userInfo, kind, namespace } = request;
  const isNamespace = kind.group === '' && kind.kind === 'Namespace';
  const known = namespace === '' || isNamespace ? undefined : parts.cluster.namespace(namespace);
  const { roles, clusterRoles } = parts.roles.of(request);
  const requestInfo: RequestInfo = {
    username: userInfo.username,
    groups: userInfo.groups,
    roles,
    clusterRoles,
    isEmpty: false,
  };
  return {
    request,
    object: request.object ?? undefined,
    oldObject: request.oldObject ?? undefined,
    kind: { ...kind, subresource: request.subResource },
    operation: request.operation,
    requestInfo,
    namespaceLabels: known?.labels ?? new Map(),
    namespaceObject: known?.object,
    json: jsonContext(request, requestInfo, parts, observer),
  };
}

function jsonContext(
  request: AdmissionRequest,
  info: RequestInfo,
  { environment, queries }: ContextParts,
  observer: SearchObserver | undefined,
): EvaluationContext {
  const options = { environment, queries };
  const json = new EvaluationContext(options);
  json.begin(request.operation, () => firstDocument(request, info, options));
  json.addLoader(imagesLoader(json, request.object ?? new Map(), environment));
  json.observer = observer;
  return json;
}

function firstDocument(
  request: AdmissionRequest,
  { roles, clusterRoles }: RequestInfo,
  options: ContextOptions,
): JsonObject {
  const first = new EvaluationContext(options);
  first.addRequest(requestDocument(request));
  first.addUserInfo(
    new Map<string, JsonValue>([
      ['roles', roles],
      ['clusterRoles', clusterRoles],
    ]),
  );
  first.addServiceAccount(request.userInfo.username);
  return first.document;
}

/** `admission/v1.AdmissionRequest` as JSON. Every number is a double. */
function requestDocument(request: AdmissionRequest): JsonObject {
  const { kind, resource, subResource, userInfo } = request;
  const fields = new Map<string, JsonValue>([['uid', '']]);
  const kindFields = new Map(Object.entries(kind));
  const resourceFields = new Map(Object.entries(resource));
  fields.set('kind', kindFields).set('resource', resourceFields);
  if (subResource !== '') fields.set('subResource', subResource);
  fields.set('requestKind', kindFields).set('requestResource', resourceFields);
  if (subResource !== '') fields.set('requestSubResource', subResource);
  if (request.name !== '') fields.set('name', request.name);
  if (request.namespace !== '') fields.set('namespace', request.namespace);
  fields.set('operation', request.operation).set('userInfo', userDocument(userInfo));
  fields.set('object', asDoubles(request.object)).set('oldObject', asDoubles(request.oldObject));
  return fields.set('dryRun', request.dryRun).set('options', asDoubles(request.options));
}

function userDocument({ username, uid, groups, extra }: AdmissionRequest['userInfo']): JsonObject {
  const fields = new Map<string, JsonValue>();
  if (username !== '') fields.set('username', username);
  if (uid !== '') fields.set('uid', uid);
  if (groups.length > 0) fields.set('groups', groups);
  if (extra.size > 0) fields.set('extra', extra);
  return fields;
}

const ROLE_BINDING: GroupVersionKind = { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'RoleBinding' };
const CLUSTER_ROLE_BINDING: GroupVersionKind = { ...ROLE_BINDING, kind: 'ClusterRoleBinding' };

type Roles = Pick<RequestInfo, 'roles' | 'clusterRoles'>;

/** The roles that the repository's RBAC objects grant a user (`pkg/userinfo/roleRef.go`). Lives for one run. */
export class UserRoles {
  readonly #cluster: Cluster;
  readonly #known = new Map<string, Roles>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  of(request: AdmissionRequest): Roles {
    const { userInfo, namespace } = request;
    const key = JSON.stringify([namespace, userInfo.username, userInfo.groups]);
    let roles = this.#known.get(key);
    if (roles === undefined) {
      roles = this.#rolesOf(request);
      this.#known.set(key, roles);
    }
    return roles;
  }

  /** Ignores RoleBindings in other namespaces, because the list of namespaces is unknown. */
  #rolesOf({ userInfo, namespace }: AdmissionRequest): Roles {
    const roles = new Set<string>();
    const clusterRoles = new Set<string>();
    const bindings = namespace === '' ? [] : this.#cluster.objects(ROLE_BINDING, namespace);
    for (const { object } of bindings) {
      if (!bindsUser(object, userInfo, namespace)) continue;
      const reference = objectOrEmpty(object.get('roleRef'));
      const name = textField(reference, 'name');
      if (textField(reference, 'kind') === 'Role') roles.add(`${namespace}:${name}`);
      else clusterRoles.add(name);
    }
    for (const { object } of this.#cluster.objects(CLUSTER_ROLE_BINDING, '')) {
      if (bindsUser(object, userInfo, '')) clusterRoles.add(textField(objectOrEmpty(object.get('roleRef')), 'name'));
    }
    return { roles: [...roles].sort(compareUtf8), clusterRoles: [...clusterRoles].sort(compareUtf8) };
  }
}

function bindsUser(binding: JsonObject, user: AdmissionRequest['userInfo'], namespace: string): boolean {
  return objectItems(binding.get('subjects')).some((subject) => {
    const name = textField(subject, 'name');
    switch (textField(subject, 'kind')) {
      case 'User':
        return name === user.username;
      case 'Group':
        return user.groups.includes(name);
      case 'ServiceAccount':
        return user.username === `system:serviceaccount:${textField(subject, 'namespace') || namespace}:${name}`;
      default:
        return false;
    }
  });
}
