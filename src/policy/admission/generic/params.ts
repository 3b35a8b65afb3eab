// Which params a binding gives a policy for a request (apiserver `generic/policy_dispatcher.go: CollectParams`).

import { type GroupVersionKind, parseApiVersion } from '../../../kubernetes/api/group-version.ts';
import type { Cluster, StoredObject } from '../../../kubernetes/cluster/cluster.ts';
import { readLabelSelector } from '../../../kubernetes/selector/label-selector.ts';
import type { AdmissionBinding, AdmissionPolicy, ParamKind, ParamRef } from './admission-policy.ts';

/** One evaluation follows for each entry; `undefined` is the null param. An empty list means the binding has no effect. */
export type CollectedParams =
  | { readonly params: readonly (StoredObject | undefined)[] }
  | { readonly error: string }
  /** None is known, but there may be some where the files come from. */
  | { readonly unknown: string };

export interface ResolvedParamKind {
  /** Undefined where the policy has no paramKind. */
  readonly gvk: GroupVersionKind | undefined;
  /** Raised on every request the policy matches. */
  readonly error: string | undefined;
  /** What is taken for granted of a kind that no file defines, in one sentence. */
  readonly assumption: string | undefined;
}

/**
 * What the server's RESTMapper makes of a paramKind (`policy_source.go`). Undefined for an apiVersion that cannot be parsed: the
 * server then drops the policy. A custom kind that no file defines may be defined in the cluster.
 */
export function resolveParamKind(paramKind: ParamKind | undefined, cluster: Cluster): ResolvedParamKind | undefined {
  if (paramKind === undefined) return { gvk: undefined, error: undefined, assumption: undefined };
  const groupVersion = parseApiVersion(paramKind.apiVersion);
  if (groupVersion === undefined) return undefined;
  const gvk = { ...groupVersion, kind: paramKind.kind };
  const { origin, namespaced } = cluster.mappingFor(gvk);
  const isAbsent = origin === 'conventional' && cluster.isAllKnownOf(gvk.group);
  const error = `failed to find resource referenced by paramKind: '${gvk.group}/${gvk.version}, Kind=${gvk.kind}'`;
  if (isAbsent) return { gvk, error, assumption: undefined };
  return { gvk, error: undefined, assumption: origin === 'conventional' ? assumed(paramKind, namespaced) : undefined };
}

function assumed({ apiVersion, kind }: ParamKind, namespaced: boolean): string {
  const scope = namespaced ? 'namespaced' : 'cluster-scoped';
  return `the paramKind ${apiVersion} ${kind} is neither built in nor defined here: the cluster is taken to serve it, ${scope}; if it does not, its policies cannot be evaluated and their failurePolicy decides`;
}

const NULL_PARAM: CollectedParams = { params: [undefined] };

/**
 * The checks run in the server's order: namespace against scope first, then name against selector, then look-up.
 * `requestNamespace` is a Namespace's own name for Namespaces.
 */
export function collectParams(
  paramKind: GroupVersionKind | undefined,
  paramRef: ParamRef | undefined,
  requestNamespace: string,
  cluster: Cluster,
): CollectedParams {
  if (paramKind === undefined || paramRef === undefined) return NULL_PARAM;
  const { namespaced, origin } = cluster.mappingFor(paramKind);
  let namespace = '';
  if (namespaced) namespace = paramRef.namespace === '' ? requestNamespace : paramRef.namespace;
  const scopeError = wrongScope(paramRef, namespaced, namespace);
  if (scopeError !== undefined && origin === 'conventional') return { unknown: `the scope of ${paramKind.kind}` };
  if (scopeError !== undefined) return { error: scopeError };

  const found = findParams(paramKind, paramRef, namespace, cluster);
  if (!('params' in found) || found.params.length > 0) return found;
  if (!cluster.holdsAll(paramKind, namespace)) return { unknown: describeMissing(paramKind, paramRef, namespace) };
  if (paramRef.parameterNotFoundAction === 'Deny') {
    return { error: 'no params found for policy binding with `Deny` parameterNotFoundAction' };
  }
  return found;
}

function wrongScope(paramRef: ParamRef, namespaced: boolean, namespace: string): string | undefined {
  if (namespaced && namespace === '') {
    return 'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources';
  }
  if (!namespaced && paramRef.namespace !== '') {
    return 'paramRef.namespace must not be provided for a cluster-scoped `paramKind`';
  }
  return undefined;
}

function findParams(gvk: GroupVersionKind, paramRef: ParamRef, namespace: string, cluster: Cluster): CollectedParams {
  if (paramRef.name !== '') {
    if (paramRef.selector !== undefined) return { error: 'paramRef.name and paramRef.selector are mutually exclusive' };
    const named = cluster.object(gvk, namespace, paramRef.name);
    return { params: named === undefined ? [] : [named] };
  }
  if (paramRef.selector === undefined) return { error: 'one of name or selector must be provided' };
  const selector = readLabelSelector(paramRef.selector);
  if ('error' in selector) return { error: selector.error };
  return { params: cluster.selectedObjects(gvk, namespace, paramRef.selector, selector) };
}

function describeMissing(gvk: GroupVersionKind, { name }: ParamRef, namespace: string): string {
  const which = name === '' ? `${gvk.kind} objects that its selector matches` : `the ${gvk.kind} ${name}`;
  return namespace === '' ? which : `${which} in namespace ${namespace}`;
}

/** One sentence on params that no file holds. */
export function missingParams(policy: AdmissionPolicy, binding: AdmissionBinding, missing: string): string {
  const effect =
    binding.paramRef?.parameterNotFoundAction === 'Deny'
      ? 'if the cluster has none either, every matching request is denied'
      : 'if the cluster has none either, the binding has no effect';
  return `${policy.name} with binding ${binding.name} needs ${missing}, not in the repository: ${effect}`;
}
