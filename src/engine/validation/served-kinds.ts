// Reports objects in the server's own API groups whose kind or version it does not serve.
import type { Diagnostic } from '../../diagnostic/diagnostic.ts';
import { nearestName } from '../../diagnostic/nearest-name.ts';
import { formatApiVersion, type GroupVersionKind } from '../../kubernetes/api/group-version.ts';
import type { Resource } from '../../kubernetes/api/resource.ts';
import { formatVersion } from '../../kubernetes/api/version.ts';
import type { Cluster } from '../../kubernetes/cluster/cluster.ts';
import { describeVersionedKind, isGoneGroup, removedVersion } from '../../kubernetes/schema/removed-versions-table.ts';
import type { BuiltinResource, BuiltinResources } from '../../kubernetes/schema/resources.ts';

/** Undefined for served kinds and for groups that other servers may serve. */
export function unservedKind(resource: Resource, builtin: BuiltinResources, cluster: Cluster): Diagnostic | undefined {
  const { gvk } = resource;
  const isOwnGroup = builtin.isBuiltinGroup(gvk.group) || isGoneGroup(gvk.group);
  if (!isOwnGroup || cluster.mappingFor(gvk).origin !== 'conventional') return undefined;
  const sameKind = [...builtin.all()].filter(({ kind }) => kind === gvk.kind);
  // If the kind exists in another version, the version is wrong, else the kind.
  const field = sameKind.length > 0 ? 'apiVersion' : 'kind';
  return {
    code: 'unserved-kind',
    severity: 'error',
    message: `no matches for kind "${gvk.kind}" in version "${formatApiVersion(gvk.group, gvk.version)}"`,
    primary: resource.locate([field], 'value'),
    field: [field],
    related: [],
    help: wayOut(gvk, sameKind, builtin, `Kubernetes ${formatVersion(cluster.version)}`),
  };
}

function wayOut(
  gvk: GroupVersionKind,
  sameKind: readonly BuiltinResource[],
  builtin: BuiltinResources,
  release: string,
): string {
  const removed = removedVersion(gvk);
  if (removed !== undefined) {
    const { removedIn, replacement } = removed;
    const instead =
      replacement === undefined ? 'it has no replacement' : `write \`apiVersion: ${replacement}\` instead`;
    return `${describeVersionedKind(gvk)} was removed in Kubernetes 1.${removedIn}; ${instead}`;
  }
  const served = sameKind.find(({ servedByDefault }) => servedByDefault) ?? sameKind[0];
  if (served !== undefined) {
    return `${release} serves ${gvk.kind} as \`${formatApiVersion(served.group, served.version)}\``;
  }
  const kinds = [...builtin.all()];
  const inGroup = kinds.filter(({ group }) => group === gvk.group).map(({ kind }) => kind);
  const near =
    nearestName(gvk.kind, inGroup) ??
    nearestName(
      gvk.kind,
      kinds.map(({ kind }) => kind),
    );
  return near === undefined ? `${release} has no kind of this name` : `did you mean \`${near}\`?`;
}
