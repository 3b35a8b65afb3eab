// Collects a binding's params for a request (apiserver `generic/policy_dispatcher.go: CollectParams`).

import { type GroupVersionKind, parseApiVersion } from '../../../kubernetes/api/group-version.ts';
import type { Cluster, StoredObject } from '../../../kubernetes/cluster/cluster.ts';
import { readLabelSelector } from '../../../kubernetes/selector/label-selector.ts';
import type { AdmissionBinding, AdmissionPolicy, ParamKind, ParamRef } from './admission-policy.ts';

/** Each entry leads to one evaluation; `undefined` is the null param. With an empty list, the binding has no effect. */
export type CollectedParams =
  | { readonly params: readonly (StoredObject | undefined)[] }
  | { readonly error: string }
  /** The repository has none, but the cluster may. */
  | { readonly unknown: string };

export interface ResolvedParamKind {
  /** Undefined if the policy has no paramKind. */
  readonly gvk: GroupVersionKind | undefined;
  /** Reported for every request that the policy matches. */
  readonly error: string | undefined;
  /** The assumption about a kind that no file defines, as a sentence. */
  readonly assumption: string | undefined;
}

/**
 * Resolves a paramKind like the server's RESTMapper (`policy_source.go`). Undefined for an invalid apiVersion: the
 * server then ignores the policy. A custom kind that no file defines may exist in the cluster.
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
  return `the paramKind ${apiVersion} ${kind} is neither built in nor defined in the repository: Preadmit assumes that the cluster serves it, ${scope}; if not, its policies cannot be evaluated and their failurePolicy applies`;
}

const NULL_PARAM: CollectedParams = { params: [undefined] };

/**
 * Checks in the server's order: namespace against scope, name against selector, then lookup. For a Namespace,
 * `requestNamespace` is its own name.
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
  const open = 'params' in found ? found.params.find((param) => param?.isOpen) : undefined;
  if (open !== undefined) return { unknown: `the values of the ${paramKind.kind} ${open.resource.name}` };
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

export function missingParams(policy: AdmissionPolicy, binding: AdmissionBinding, missing: string): string {
  const isDenied = binding.paramRef?.parameterNotFoundAction === 'Deny' && policy.failurePolicy === 'Fail';
  const effect = isDenied ? 'every matching request is denied' : 'the binding has no effect';
  return `${policy.name} with binding ${binding.name} needs ${missing}, which is not in the repository: if the cluster has none either, ${effect}`;
}
