// One request to the API server, as its admission chain sees it.

import type { JsonObject, JsonValue } from '../../source/json/json.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { GroupVersionKind, GroupVersionResource } from '../api/group-version.ts';
import type { OpenReason } from './open-reason.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

export interface UserInfo {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
  /** The configuration names no user, so this is only the most likely one. */
  readonly assumed?: boolean;
}

/** `k8s.io/apiserver/pkg/admission.Attributes`, with the objects already in the form CEL sees. */
export interface AdmissionRequest {
  readonly operation: Operation;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  /** Empty for the resource itself. */
  readonly subResource: string;
  /** Empty if the server has no name yet (generateName during mutation, deletecollection). */
  readonly name: string;
  /** Empty for cluster-scoped resources; a Namespace's own name for Namespaces. */
  readonly namespace: string;
  /** No file says the namespace, so `namespace` is only the default. */
  readonly isNamespaceAssumed?: boolean;
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  /** Kind of `object` and `oldObject` if it differs from `kind`. */
  readonly objectKind?: GroupVersionKind;
  readonly options: JsonObject | null;
  readonly dryRun: boolean;
  readonly userInfo: UserInfo;
  /** Absent if the objects come from a server. */
  readonly invented?: InventedFields | undefined;
}

/** Fields with values that only a server knows, and variants of the request with other values in them. */
export interface InventedFields {
  readonly paths: readonly FieldPath[];
  /**
   * Fields with values that variants cannot cover: the status of an existing object, and fields whose values the
   * repository does not contain.
   */
  readonly unseen?: readonly FieldPath[];
  /** Why the repository does not contain the value of an unseen field. */
  readonly reasonOf?: (path: FieldPath) => OpenReason | undefined;
  /** Variants of the server's request, never empty. The first one equals the request. */
  possible(): readonly PossibleObjects[];
}

export type PossibleObjects = Pick<AdmissionRequest, 'name' | 'object' | 'oldObject'>;

/** A request in the version that a policy matched it with (`admission.VersionedAttributes`). */
export interface MatchedRequest {
  readonly request: AdmissionRequest;
  readonly matchedKind: GroupVersionKind;
  readonly matchedResource: GroupVersionResource;
}

/**
 * The CEL variable `request`: `CreateAdmissionRequest` followed by typed-to-unstructured conversion, in which
 * empty optional fields are absent.
 */
export function requestVariable(
  request: AdmissionRequest,
  kind: GroupVersionKind,
  resource: GroupVersionResource,
): JsonObject {
  const fields = new Map<string, JsonValue>();
  fields.set('uid', '');
  fields.set('kind', kindObject(kind));
  fields.set('resource', resourceObject(resource));
  setIfPresent(fields, 'subResource', request.subResource);
  fields.set('requestKind', kindObject(request.kind));
  fields.set('requestResource', resourceObject(request.resource));
  setIfPresent(fields, 'requestSubResource', request.subResource);
  setIfPresent(fields, 'name', request.name);
  setIfPresent(fields, 'namespace', request.namespace);
  fields.set('operation', request.operation);
  fields.set('userInfo', userInfoObject(request.userInfo));
  fields.set('object', null);
  fields.set('oldObject', null);
  fields.set('dryRun', request.dryRun);
  fields.set('options', request.options);
  return fields;
}

function userInfoObject(user: UserInfo): JsonObject {
  const fields = new Map<string, JsonValue>();
  setIfPresent(fields, 'username', user.username);
  setIfPresent(fields, 'uid', user.uid);
  if (user.groups.length > 0) fields.set('groups', user.groups);
  if (user.extra.size > 0) fields.set('extra', user.extra);
  return fields;
}

function kindObject(gvk: GroupVersionKind): JsonObject {
  return new Map<string, JsonValue>([
    ['group', gvk.group],
    ['version', gvk.version],
    ['kind', gvk.kind],
  ]);
}

function resourceObject(gvr: GroupVersionResource): JsonObject {
  return new Map<string, JsonValue>([
    ['group', gvr.group],
    ['version', gvr.version],
    ['resource', gvr.resource],
  ]);
}

function setIfPresent(fields: Map<string, JsonValue>, name: string, value: string): void {
  if (value !== '') fields.set(name, value);
}
