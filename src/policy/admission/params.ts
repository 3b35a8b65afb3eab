// Which params a binding gives a policy for a request (apiserver `generic/policy_dispatcher.go: CollectParams`).
import type { Cluster, StoredObject } from '../../kubernetes/cluster.ts';
import { type GroupVersionKind, parseApiVersion } from '../../kubernetes/group-version.ts';
import { labelsOf, readLabelSelector, selectorMatches } from '../../kubernetes/label-selector.ts';
import type { ParamKind, ParamRef } from './validating-policy.ts';

/** One evaluation follows for each entry; `undefined` is the null param. An empty list means the binding has no effect. */
export type CollectedParams =
  | { readonly params: readonly (StoredObject | undefined)[] }
  | { readonly error: string }
  /** None is known, but there may be some where the files come from. */
  | { readonly unknown: string };

/** paramKind as group, version, kind; undefined where the apiVersion cannot be parsed. */
export function paramKindOf(paramKind: ParamKind): GroupVersionKind | undefined {
  const groupVersion = parseApiVersion(paramKind.apiVersion);
  return groupVersion && { ...groupVersion, kind: paramKind.kind };
}

const NULL_PARAM: CollectedParams = { params: [undefined] };

/**
 * The checks run in the server's order: namespace against scope first, then name against selector, then look-up.
 * `requestNamespace` is a Namespace's own name for Namespaces.
 */
export function collectParams(
  paramKind: ParamKind | undefined,
  paramRef: ParamRef | undefined,
  requestNamespace: string,
  cluster: Cluster,
): CollectedParams {
  if (paramKind === undefined || paramRef === undefined) return NULL_PARAM;
  const gvk = paramKindOf(paramKind);
  if (gvk === undefined) return { error: `paramKind kind \`${formatParamKind(paramKind)}\` not known` };

  const { namespaced } = cluster.mappingFor(gvk);
  let namespace = '';
  if (namespaced) {
    namespace = paramRef.namespace === '' ? requestNamespace : paramRef.namespace;
    if (namespace === '') {
      return { error: 'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources' };
    }
  } else if (paramRef.namespace !== '') {
    return { error: 'paramRef.namespace must not be provided for a cluster-scoped `paramKind`' };
  }

  const found = findParams(gvk, paramRef, namespace, cluster);
  if ('error' in found) return found;
  if ('unknown' in found || (found.params.length === 0 && !cluster.isComplete)) {
    return { unknown: describeMissing(gvk, paramRef, namespace) };
  }
  if (found.params.length === 0 && paramRef.parameterNotFoundAction === 'Deny') {
    return { error: 'no params found for policy binding with `Deny` parameterNotFoundAction' };
  }
  return found;
}

function findParams(gvk: GroupVersionKind, paramRef: ParamRef, namespace: string, cluster: Cluster): CollectedParams {
  if (paramRef.name !== '') {
    if (paramRef.selector !== undefined) return { error: 'paramRef.name and paramRef.selector are mutually exclusive' };
    const named = cluster.objects(gvk, namespace).find(({ resource }) => resource.name === paramRef.name);
    return { params: named === undefined ? [] : [named] };
  }
  if (paramRef.selector === undefined) return { error: 'one of name or selector must be provided' };
  const selector = readLabelSelector(paramRef.selector);
  if ('error' in selector) return { error: selector.error };
  const selected = cluster.objects(gvk, namespace).filter(({ object }) => selectorMatches(selector, labelsOf(object)));
  return { params: selected };
}

function describeMissing(gvk: GroupVersionKind, { name }: ParamRef, namespace: string): string {
  const which = name === '' ? `${gvk.kind} objects that its selector matches` : `the ${gvk.kind} ${name}`;
  return namespace === '' ? which : `${which} in namespace ${namespace}`;
}

/** Go's `ParamKind.String()`. */
function formatParamKind({ apiVersion, kind }: ParamKind): string {
  return `&ParamKind{APIVersion:${apiVersion},Kind:${kind},}`;
}
