// Renders everything that an in-memory repository applies, with the committed engine.
import { isKustomization } from '../../src/inventory/kustomize-references.ts';
import { resourcesOf } from '../../src/kubernetes/api/resource.ts';
import type { Controller } from '../../src/render/sources/controller.ts';
import { renderSources } from '../../src/render/sources/render-sources.ts';
import type { RenderedRoot } from '../../src/render/sources/root/rendered-root.ts';
import type { RenderedSources, SourcesInput } from '../../src/render/sources/sources-input.ts';
import { stringifyJson } from '../../src/source/json/json.ts';
import { readManifests } from '../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';
import { engine, tree } from './render.ts';

export function renderedRepository(
  files: Readonly<Record<string, string>>,
  controllers: readonly Controller[],
  given: Partial<SourcesInput> = {},
): RenderedSources {
  const sources = new Map(Object.entries(files).map(([path, text]) => [path, new SourceFile(path, text)]));
  const manifests = [...sources.values()]
    .filter(({ path }) => /\.(?:ya?ml|json)$/.test(path) && !/\/(?:templates|crds)\//.test(path))
    .flatMap((file) => readManifests(file).manifests);
  return renderSources({
    isSelected: () => true,
    resources: manifests
      .filter(({ file, value }) => !isKustomization(file.path, value))
      .flatMap((manifest) =>
        resourcesOf(manifest).flatMap((result) => ('resource' in result ? [result.resource] : [])),
      ),
    kustomizations: manifests.flatMap(({ file, value }) =>
      isKustomization(file.path, value) ? [{ path: file.path, content: value }] : [],
    ),
    paths: new Set(sources.keys()),
    tree: tree(files),
    engine,
    controllers,
    clusterAt: () => ({ minor: 36, kubernetesVersion: '1.36.0' }),
    fileAt: (path) => sources.get(path),
    ...given,
  });
}

/** A line per root with its name, cluster and default namespace, then its objects or its failure. */
export function outlineOf({ roots }: RenderedSources): readonly string[] {
  return roots.flatMap((root) => [
    headOf(root),
    ...root.manifests.map(
      ({ value, neverApplied }) =>
        `  ${identityOf(value)}${neverApplied === undefined ? '' : `, never applied: ${neverApplied.because}`}`,
    ),
  ]);
}

function headOf({ name, destination, manifests, failure }: RenderedRoot): string {
  const namespace = manifests[0]?.defaultNamespace;
  const cluster = destination === undefined ? '' : ` → ${destination}`;
  return `${name}${cluster}${namespace === undefined ? '' : ` in ${namespace}`}${failure ? `: ${failure.message}` : ''}`;
}

function identityOf(value: unknown): string {
  const object = JSON.parse(stringifyJson(value as never, { sortKeys: false, escapeHtml: false }));
  const { name, namespace } = object.metadata ?? {};
  return `${object.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

export interface PlainObject {
  readonly kind?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly data?: unknown;
}

/** The objects of the root with this name, as plain values. */
export function objectsOf({ roots }: RenderedSources, name: string): readonly PlainObject[] {
  return roots
    .filter((root) => root.name === name)
    .flatMap(({ manifests }) => manifests)
    .map(({ value }) => JSON.parse(stringifyJson(value, { sortKeys: false, escapeHtml: false })));
}
