// Prepares rendering: the files of one state, and the controllers whose declarations are followed.
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
import type { RenderEngine } from '../../render/engine/render-engine.ts';
import { fluxHelmRelease } from '../../render/flux/flux-helm-release.ts';
import { fluxInstance } from '../../render/flux/flux-instance.ts';
import { fluxKustomization } from '../../render/flux/flux-kustomization.ts';
import { fluxResourceSet } from '../../render/flux/resource-set.ts';
import type { FluxOptions } from '../../render/flux/source-reference.ts';
import type { Controller } from '../../render/sources/controller.ts';
import { CheckedRevisions } from '../../render/sources/declaration/checked-revisions.ts';
import {
  ARGO_APPLICATION,
  ARGO_APPLICATION_SET,
  FLUX_HELM_RELEASE,
  FLUX_INSTANCE,
  FLUX_KUSTOMIZATION,
  FLUX_RESOURCE_SET,
} from '../../render/sources/declaration/declared-kinds.ts';
import type { FetchedRemotes } from '../../render/sources/remote/remote.ts';
import { renderSources } from '../../render/sources/render-sources.ts';
import type { PlannedRoot } from '../../render/sources/root/planned-root.ts';
import type { RootBuilder } from '../../render/sources/root/root-builder.ts';
import type { RenderedSources } from '../../render/sources/sources-input.ts';
import type { Configuration } from '../../settings/configuration.ts';
import { isJsonObject } from '../../source/json/json.ts';
import type { Manifest } from '../../source/manifest/manifest.ts';
import { isEncrypted } from '../../source/placeholder/sops.ts';
import { baseName, folderOf, normalizePath } from '../../source/text/repository-path.ts';
import { maySay, searchableText } from '../../source/text/searchable-text.ts';
import { Derivation, SourceFile } from '../../source/text/source-file.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import type { RepositoryContent } from './read-repository.ts';
import { markSecretInputs } from './secret-inputs.ts';
import { clusterTraits } from './target-version.ts';

export interface StateRendering {
  /** All files of the state. */
  readonly tree: FileTree;
  /** Loaded when the first root is rendered. */
  readonly engine: () => RenderEngine;
  /** All kustomizations, if `files` is not complete. */
  readonly kustomizations?: readonly Kustomization[];
  /** All checked files, if `files` is not complete. */
  readonly selected?: ReadonlySet<string>;
  /** The roots to render. Default: all. */
  readonly isWanted?: (root: PlannedRoot) => boolean;
  /** Files that are read only for references from declarations of controllers. */
  readonly known?: readonly DiscoveredFile[];
  /** Fetched charts, bases and repositories. */
  readonly remotes?: FetchedRemotes;
  /** Address that the repository comes from: that of its remote `origin`, or of the repository on GitHub. Absent if unknown. */
  readonly repositoryUrl?: string;
  /** Absent: a state that is compared with no other. */
  readonly revisions?: StateRevisions;
  /** Shared by states of one repository, so that a root that is equal in both is rendered once. */
  readonly builder?: RootBuilder;
}

/** Which revisions have the files of a state, for each kind of controller. */
export interface StateRevisions {
  readonly argo: CheckedRevisions;
  readonly flux: CheckedRevisions;
}

/** `base`: the state that decides, in a comparison. */
export function stateRevisions({ rendering }: Configuration, base?: StateRevisions): StateRevisions {
  return {
    argo: new CheckedRevisions(rendering.revisions, base?.argo, 'short'),
    flux: new CheckedRevisions(rendering.revisions, base?.flux),
  };
}

/** New for each state, because a controller caches facts about the repository. */
function controllers(
  { flux, argo }: Configuration['rendering'],
  repositoryUrl: string | undefined,
  revisions: StateRevisions,
): readonly Controller[] {
  const sources: FluxOptions = {
    revisions: revisions.flux,
    ...(flux?.sources && { sources: foldersOf(flux.sources) }),
    ...(repositoryUrl !== undefined && { repositoryUrl }),
  };
  const known: ArgoOptions = {
    revisions: revisions.argo,
    ...(repositoryUrl !== undefined && { repositoryUrl }),
    ...(argo?.repositoryUrls && { repositoryUrls: argo.repositoryUrls }),
    ...(argo?.clusters && { clusters: argo.clusters.map(clusterOf) }),
  };
  return [
    whenDeclared(FLUX_KUSTOMIZATION, () => fluxKustomization(sources)),
    whenDeclared(FLUX_HELM_RELEASE, () => fluxHelmRelease(sources)),
    whenDeclared(FLUX_INSTANCE, fluxInstance),
    whenDeclared(FLUX_RESOURCE_SET, fluxResourceSet),
    whenDeclared(ARGO_APPLICATION, () => argoApplication(known)),
    whenDeclared(ARGO_APPLICATION_SET, () => argoApplicationSet(known)),
  ];
}

/** Creates the controller when an object of the kind exists. */
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
    sources: (declaration, known) => controller().sources?.(declaration, known) ?? [],
    deciding: (object) => controller().deciding?.(object) ?? object.value,
  };
}

/** Users write folders as `.` or with a slash at the end. */
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
  { tree, engine, builder, isWanted, remotes, ...given }: StateRendering,
  state: {
    readonly readFiles: readonly {
      readonly file: SourceFile;
      readonly selected: boolean;
      readonly documents: readonly FoundDocument[];
    }[];
    readonly paths: ReadonlySet<string>;
    readonly content: Pick<RepositoryContent, 'resources'>;
    readonly configuration: Configuration;
    /** Resources of `known`, which are not evaluated. */
    readonly known: readonly Resource[];
  },
): RenderedSources {
  const { readFiles, paths, content, configuration, known: knownResources } = state;
  const files = new Map(readFiles.map(({ file }) => [file.path, file]));
  const selected = given.selected ?? new Set(readFiles.filter((file) => file.selected).map(({ file }) => file.path));
  // The file name has no extension, so no glob selects it.
  const folders = new Set([...selected].map(folderOf));
  const found = (): readonly Kustomization[] =>
    readFiles.flatMap(({ file, documents }) =>
      mayHoldKustomization(file)
        ? documents.flatMap(({ value }) =>
            isKustomization(file.path, value) ? [{ path: file.path, content: value }] : [],
          )
        : [],
    );
  const clusterAt = clusterTraits(configuration.targets);
  const fileAt = (path: string): SourceFile | undefined => {
    const known = files.get(path);
    if (known !== undefined || !paths.has(path)) return known;
    const bytes = tree.read(path);
    if (bytes === undefined) return undefined;
    const file = new SourceFile(path, new TextDecoder().decode(bytes));
    files.set(path, file);
    return file;
  };
  const kustomizations = given.kustomizations ?? found();
  const encrypted = readFiles.flatMap(({ file, documents }) =>
    renderingWords(file).sops ? documents.flatMap(encryptedData) : [],
  );
  const evaluated = new Set(encrypted.length === 0 ? [] : content.resources.map(({ resource }) => resource.manifest));
  const resources = [
    ...content.resources.map(({ resource }) => resource),
    ...encrypted.filter(({ manifest }) => !evaluated.has(manifest)),
  ];
  const sources = renderSources({
    resources,
    kustomizations,
    paths,
    tree,
    engine,
    controllers: controllers(
      configuration.rendering,
      given.repositoryUrl,
      given.revisions ?? stateRevisions(configuration),
    ),
    clusterData: configuration.rendering.flux?.substitute ?? new Map(),
    clusterAt,
    fileAt,
    isSelected: (path) => selected.has(path) || (baseName(path) === 'Kustomization' && folders.has(folderOf(path))),
    ...(builder && { builder }),
    ...(remotes && { remotes }),
    ...(isWanted && { isWanted }),
    ...(configuration.rendering.roots !== undefined && { maxRoots: configuration.rendering.roots }),
    known: knownResources,
  });
  return {
    ...sources,
    roots: markSecretInputs(sources.roots, kustomizations, [...resources, ...knownResources], fileAt),
  };
}

/** Words that decide whether a text's values must be searched. Finding words is faster. */
interface RenderingWords {
  readonly sops: boolean;
  readonly kustomize: boolean;
}

const NO_WORDS: RenderingWords = { sops: false, kustomize: false };

/** Cached for each file. Call it first while the text is in memory. */
export function renderingWords(file: SourceFile): RenderingWords {
  return file.derived(RENDERING_WORDS);
}

const RENDERING_WORDS = new Derivation(({ text }): RenderingWords => {
  const searchable = searchableText(text);
  const [sops, kustomize] = ['sops', KUSTOMIZE_GROUP].map((word) => maySay(searchable, (said) => said.includes(word)));
  return sops || kustomize ? { sops: sops === true, kustomize: kustomize === true } : NO_WORDS;
});

function mayHoldKustomization(file: SourceFile): boolean {
  return isKustomizationName(file.path) || renderingWords(file).kustomize;
}

/** Secrets and ConfigMaps that SOPS encrypted are not evaluated, but the names of their variables are known. */
export function encryptedData({ manifest, value }: FoundDocument): readonly Resource[] {
  if (manifest === undefined || !isJsonObject(value) || !isEncrypted(value)) return [];
  return resourcesOf(manifest).flatMap((result) => {
    if (!('resource' in result)) return [];
    const { gvk } = result.resource;
    return gvk.group === '' && ['Secret', 'ConfigMap'].includes(gvk.kind) ? [result.resource] : [];
  });
}
