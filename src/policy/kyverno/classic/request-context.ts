// Turns a request into the input of Kyverno's rules: the document for variables, the user's roles, its Namespace.

import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import type { AdmissionRequest } from '../../../kubernetes/request/admission-request.ts';
import type { JsonObject, JsonValue } from '../../../source/json/json.ts';
import { imagesLoader } from '../context/image-entry.ts';
import { asDoubles } from '../jmespath/as-doubles.ts';
import type { SearchEnvironment, SearchObserver } from '../jmespath/search-environment.ts';
import { OPEN_USER, openNamespace, openReason } from '../matching/match-answer.ts';
import type { RequestInfo } from '../matching/resource-filter.ts';
import type { PolicyContext } from '../rule/policy-context.ts';
import { type ContextOptions, EvaluationContext } from '../variables/evaluation-context.ts';
import type { QueryCache } from '../variables/query-cache.ts';
import { readsOfUser, type UserRead } from '../variables/user-reads.ts';
import type { UserRoles } from './user-roles.ts';

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
  const isAssumed = userInfo.assumed === true && !parts.cluster.isComplete;
  const requestInfo: RequestInfo = {
    username: userInfo.username,
    groups: userInfo.groups,
    ...parts.roles.of(request),
    isEmpty: false,
    ...(isAssumed && { isAssumed }),
  };
  return {
    request,
    object: request.object ?? undefined,
    oldObject: request.oldObject ?? undefined,
    kind: { ...kind, subresource: request.subResource },
    operation: request.operation,
    requestInfo,
    namespaceLabels: known?.labels ?? new Map(),
    openNamespace: known && openNamespace(request, known),
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
  const isUnknown = info.isAssumed === true || info.openRoles !== undefined;
  const options = {
    environment,
    queries,
    ...(isUnknown && { unknownIn: (query: string) => unknownOfUser(query, info) }),
  };
  const json = new EvaluationContext(options);
  json.begin(request.operation, () => firstDocument(request, info, options));
  json.addLoader(imagesLoader(json, request.object ?? new Map(), environment));
  json.observer = observer;
  return json;
}

/** What a query reads about the user that no file contains. */
function unknownOfUser(query: string, info: RequestInfo): string | undefined {
  const unknown = (read: UserRead): string | undefined => {
    if (read === 'user') return info.isAssumed === true ? openReason(OPEN_USER) : undefined;
    const kind = read === 'roles' ? 'Role' : 'ClusterRole';
    const isOpen = (info.openRoles?.(kind, [read === 'roles' ? '*:*' : '*']) ?? []).length > 0;
    return isOpen ? `which ${kind}s ${info.username} has, for which no file has all bindings` : undefined;
  };
  for (const read of readsOfUser(query)) {
    const found = unknown(read);
    if (found !== undefined) return found;
  }
  return undefined;
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
