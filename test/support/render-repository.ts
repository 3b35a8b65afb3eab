// A small repository that a test writes down, rendered from its files to what is applied.
import { isKustomization } from '../../src/inventory/kustomize-references.ts';
import { type Resource, resourcesOf } from '../../src/kubernetes/resource.ts';
import { fluxHelmRelease } from '../../src/render/flux/flux-helm-release.ts';
import { fluxKustomization } from '../../src/render/flux/flux-kustomization.ts';
import type { FluxOptions } from '../../src/render/flux/source-reference.ts';
import { type RenderedSources, renderSources } from '../../src/render/sources/render-sources.ts';
import type { RenderedRoot } from '../../src/render/sources/rendered-root.ts';
import { stringifyJson } from '../../src/source/json.ts';
import { readManifests } from '../../src/source/read-manifests.ts';
import { SourceFile } from '../../src/source/source-file.ts';
import { engine, tree } from './render.ts';

export function renderRepository(files: Readonly<Record<string, string>>, flux: FluxOptions = {}): RenderedSources {
  const sources = new Map(Object.entries(files).map(([path, text]) => [path, new SourceFile(path, text)]));
  const manifests = [...sources.values()]
    .filter(({ path }) => /\.ya?ml$/.test(path))
    .flatMap((file) => readManifests(file).manifests);
  const kustomizations = manifests.flatMap(({ file: { path }, value }) =>
    isKustomization(path, value) ? [{ path, content: value }] : [],
  );
  const built = new Set(kustomizations.map(({ path }) => path));
  const resources = manifests
    .filter(({ file }) => !built.has(file.path) && !/\/(?:templates|crds)\/|(?:values|Chart)\.yaml$/.test(file.path))
    .flatMap((manifest) => resourcesOf(manifest))
    .flatMap((result): Resource[] => ('resource' in result ? [result.resource] : []));
  return renderSources({
    isSelected: () => true,
    resources,
    kustomizations,
    paths: new Set(sources.keys()),
    tree: tree(files),
    engine,
    controllers: [fluxKustomization(flux), fluxHelmRelease(flux)],
    kubernetesVersion: '1.36.0',
    fileAt: (path) => sources.get(path),
  });
}

/** A root by its name; fails with the names of those there are. */
export function rootNamed({ roots }: RenderedSources, name: string): RenderedRoot {
  const found = roots.find((root) => root.name === name);
  if (found === undefined) throw new Error(`only ${roots.map((root) => root.name).join(', ')}`);
  return found;
}

/** The objects of a root as JavaScript values. */
export function objectsOf({ manifests, failure }: RenderedRoot): readonly Readonly<Record<string, unknown>>[] {
  if (failure !== undefined) throw new Error(failure.message);
  return manifests.map(({ value }) => JSON.parse(stringifyJson(value, { sortKeys: true, escapeHtml: false })));
}
