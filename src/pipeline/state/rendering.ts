// What the pipeline gives to rendering: the files of one state, and the controllers whose objects are followed.
import type { ReadDocument } from '../../inventory/classify.ts';
import type { DiscoveredFile } from '../../inventory/discovered-file.ts';
import {
  isKustomization,
  isKustomizationName,
  KUSTOMIZE_GROUP,
  type Kustomization,
} from '../../inventory/kustomize-references.ts';
import { type Resource, resourcesOf } from '../../kubernetes/api/resource.ts';
import { argoApplication } from '../../render/argo/application.ts';
import { argoApplicationSet } from '../../render/argo/application-set.ts';
import type { ArgoCluster, ArgoOptions } from '../../render/argo/argo-options.ts';
import type { FileTree } from '../../render/engine/file-tree.ts';
import type { RenderEngine } from '../../render/engine/render-engine.ts';
import { fluxHelmRelease } from '../../render/flux/flux-helm-release.ts';
import { fluxKustomization } from '../../render/flux/flux-kustomization.ts';
import type { FluxOptions } from '../../render/flux/source-reference.ts';
import type { FetchedCharts } from '../../render/sources/chart-reference.ts';
import type { Controller } from '../../render/sources/controller.ts';
import {
  ARGO_APPLICATION,
  ARGO_APPLICATION_SET,
  FLUX_HELM_RELEASE,
  FLUX_KUSTOMIZATION,
} from '../../render/sources/declared-kinds.ts';
import type { PlannedRoot } from '../../render/sources/planned-root.ts';
import { type RenderedSources, renderSources } from '../../render/sources/render-sources.ts';
import type { RootBuilder } from '../../render/sources/root-builder.ts';
import type { Configuration } from '../../settings/configuration.ts';
import { isJsonObject } from '../../source/json/json.ts';
import type { Manifest } from '../../source/manifest/manifest.ts';
import { isEncrypted } from '../../source/placeholder/sops.ts';
import { baseName, folderOf, normalizePath } from '../../source/text/repository-path.ts';
import { maySay, searchableText } from '../../source/text/searchable-text.ts';
import { SourceFile } from '../../source/text/source-file.ts';
import type { RepositoryContent } from './read-repository.ts';
import { targetVersion } from './target-version.ts';

export interface StateRendering {
  /** The files of the state that is read, whatever their type. */
  readonly tree: FileTree;
  /** Loaded when there is something to render. */
  readonly engine: () => RenderEngine;
  /** Every kustomization, where the files that are read are not all. */
  readonly kustomizations?: readonly Kustomization[];
  /** Files of the sweep, read or not, where the files that are read are not all. */
  readonly selected?: ReadonlySet<string>;
  /** Roots that are rendered, where not all are. */
  readonly isWanted?: (root: PlannedRoot) => boolean;
  /** Files that are not read but for what declarations of controllers may ask of them. */
  readonly known?: readonly DiscoveredFile[];
  /** What was fetched of charts that are not there. */
  readonly charts?: FetchedCharts;
  /** Shared by states of one repository, so that what is the same in both is rendered once. */
  readonly builder?: RootBuilder;
}

/** Made anew for each state: a controller remembers what it found out of a repository. */
function controllers({ flux, argo }: Configuration['rendering']): readonly Controller[] {
  const sources: FluxOptions = flux?.sources === undefined ? {} : { sources: foldersOf(flux.sources) };
  const known: ArgoOptions = {
    ...(argo?.repositoryUrls && { repositoryUrls: argo.repositoryUrls }),
    ...(argo?.clusters && { clusters: argo.clusters.map(clusterOf) }),
  };
  return [
    whenDeclared(FLUX_KUSTOMIZATION, () => fluxKustomization(sources)),
    whenDeclared(FLUX_HELM_RELEASE, () => fluxHelmRelease(sources)),
    whenDeclared(ARGO_APPLICATION, () => argoApplication(known)),
    whenDeclared(ARGO_APPLICATION_SET, () => argoApplicationSet(known)),
  ];
}

/** Made when there is an object of the kind. */
function whenDeclared(kind: string, make: () => Controller): Controller {
  let made: Controller | undefined;
  const controller = (): Controller => {
    made ??= make();
    return made;
  };
  return {
    kinds: [kind],
    plan: (...given) => controller().plan(...given),
    takes: (declaration) => controller().takes?.(declaration),
  };
}

/** `.` and a slash at the end are how people write a folder. */
function foldersOf(sources: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...sources].map(([name, folder]) => [name, normalizePath(`/${folder}`).replace(/^\/|\/$/g, '')]));
}

type WrittenCluster = NonNullable<NonNullable<Configuration['rendering']['argo']>['clusters']>[number];

function clusterOf({ labels, annotations, ...cluster }: WrittenCluster): ArgoCluster {
  return {
    ...cluster,
    ...(labels && { labels: Object.fromEntries(labels) }),
    ...(annotations && { annotations: Object.fromEntries(annotations) }),
  };
}

interface FoundDocument extends ReadDocument {
  readonly manifest: Manifest | undefined;
}

export function renderedSources(
  { tree, engine, builder, isWanted, charts, ...given }: StateRendering,
  state: {
    readonly readFiles: readonly {
      readonly file: SourceFile;
      readonly selected: boolean;
      readonly documents: readonly FoundDocument[];
    }[];
    readonly paths: ReadonlySet<string>;
    readonly content: Pick<RepositoryContent, 'resources'>;
    readonly configuration: Configuration;
    /** Of the files that are known and not read. */
    readonly known: readonly Resource[];
  },
): RenderedSources {
  const { readFiles, paths, content, configuration, known: knownResources } = state;
  const files = new Map(readFiles.map(({ file }) => [file.path, file]));
  const selected = given.selected ?? new Set(readFiles.filter((file) => file.selected).map(({ file }) => file.path));
  // Its name has no ending, so that no glob asks for it.
  const folders = new Set([...selected].map(folderOf));
  const found = (): readonly Kustomization[] =>
    readFiles.flatMap(({ file, documents }) =>
      mayHoldKustomization(file)
        ? documents.flatMap(({ value }) =>
            isKustomization(file.path, value) ? [{ path: file.path, content: value }] : [],
          )
        : [],
    );
  const [target] = configuration.targets;
  const minor = target === undefined ? 36 : targetVersion(target).minor;
  const fileAt = (path: string): SourceFile | undefined => {
    const known = files.get(path);
    if (known !== undefined || !paths.has(path)) return known;
    const bytes = tree.read(path);
    if (bytes === undefined) return undefined;
    const file = new SourceFile(path, new TextDecoder().decode(bytes));
    files.set(path, file);
    return file;
  };
  const encrypted = readFiles.flatMap(({ file, documents }) =>
    renderingWords(file).sops ? documents.flatMap(encryptedData) : [],
  );
  const evaluated = new Set(encrypted.length === 0 ? [] : content.resources.map(({ resource }) => resource.manifest));
  return renderSources({
    resources: [
      ...content.resources.map(({ resource }) => resource),
      ...encrypted.filter(({ manifest }) => !evaluated.has(manifest)),
    ],
    kustomizations: given.kustomizations ?? found(),
    paths,
    tree,
    engine,
    controllers: controllers(configuration.rendering),
    clusterData: configuration.rendering.flux?.substitute ?? new Map(),
    kubernetesVersion: `1.${minor}.0`,
    fileAt,
    isSelected: (path) => selected.has(path) || (baseName(path) === 'Kustomization' && folders.has(folderOf(path))),
    ...(builder && { builder }),
    ...(charts && { charts }),
    ...(isWanted && { isWanted }),
    ...(configuration.rendering.roots !== undefined && { maxRoots: configuration.rendering.roots }),
    known: knownResources,
  });
}

/** Words that a text may hold, however it is written: looking for them takes less than looking at every value. */
interface RenderingWords {
  readonly sops: boolean;
  readonly kustomize: boolean;
}

const NO_WORDS: RenderingWords = { sops: false, kustomize: false };

/** Found once for each file; best while its text is at hand. */
export function renderingWords(file: SourceFile): RenderingWords {
  return file.derived(findWords);
}

function findWords({ text }: SourceFile): RenderingWords {
  const searchable = searchableText(text);
  const [sops, kustomize] = ['sops', KUSTOMIZE_GROUP].map((word) => maySay(searchable, (said) => said.includes(word)));
  return sops || kustomize ? { sops: sops === true, kustomize: kustomize === true } : NO_WORDS;
}

function mayHoldKustomization(file: SourceFile): boolean {
  return isKustomizationName(file.path) || renderingWords(file).kustomize;
}

/** Secrets and ConfigMaps that SOPS encrypted: the variables that they define are known. */
export function encryptedData({ manifest, value }: FoundDocument): readonly Resource[] {
  if (manifest === undefined || !isJsonObject(value) || !isEncrypted(value)) return [];
  return resourcesOf(manifest).flatMap((result) => {
    if (!('resource' in result)) return [];
    const { gvk } = result.resource;
    return gvk.group === '' && ['Secret', 'ConfigMap'].includes(gvk.kind) ? [result.resource] : [];
  });
}
