// Facts about the rest of the repository that declarations of controllers can query.

import type { Resource } from '../../../kubernetes/api/resource.ts';
import { readCustomResources } from '../../../kubernetes/cluster/custom-resources.ts';
import type { RenderEngine } from '../../engine/render-engine.ts';
import type { DeclarationFacts } from '../controller.ts';
import type { RemoteShelf } from '../remote/remote-shelf.ts';
import type { ClusterTraits } from '../root/cluster-traits.ts';
import type { RenderedData } from '../root/rendered-data.ts';

interface KnownInput {
  readonly resources: readonly Resource[];
  readonly known?: readonly Resource[];
  readonly engine: () => RenderEngine;
  clusterAt(path: string): ClusterTraits;
  readonly clusterData?: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

export function knownObjects(
  { resources, known = [], clusterAt, engine, clusterData }: KnownInput,
  shelf: RemoteShelf,
  data: RenderedData,
): DeclarationFacts {
  const byKind = new Map<string, Resource[]>();
  const byName = new Map<string, Resource>();
  for (const resource of inOrder(resources, known)) {
    const kind = `${resource.gvk.group}/${resource.gvk.kind}`;
    const same = byKind.get(kind);
    if (same === undefined) byKind.set(kind, [resource]);
    else same.push(resource);
    const key = [kind, resource.namespace, resource.name].join('\0');
    if (!byName.has(key)) byName.set(key, resource);
  }
  const apiVersions = (byKind.get('apiextensions.k8s.io/CustomResourceDefinition') ?? []).flatMap((definition) =>
    readCustomResources(definition).map(({ group, version, kind }) => `${group}/${version}/${kind}`),
  );
  return {
    find: (kind, namespace, name) => byName.get([kind, namespace, name].join('\0')),
    all: (kind) => byKind.get(kind) ?? [],
    rendered: (declaration, kind, namespace, name) => data.find(declaration, kind, namespace, name),
    chart: (reference) => shelf.findChart(reference),
    repository: (reference) => shelf.findRepository(reference),
    clusterData: (kind, namespace, name) => clusterData?.get(`${kind}/${namespace}/${name}`),
    engine,
    cluster: ({ manifest }) => clusterAt(manifest.file.path),
    apiVersions: [...new Set(apiVersions)].sort(),
  };
}

/** Sorted by file, as if all files were read together. */
function inOrder(resources: readonly Resource[], known: readonly Resource[]): readonly Resource[] {
  if (known.length === 0) return resources;
  const pathOf = ({ manifest }: Resource): string => manifest.file.path;
  return [...resources, ...known].sort((one, other) =>
    pathOf(one) === pathOf(other) ? 0 : pathOf(one) < pathOf(other) ? -1 : 1,
  );
}
