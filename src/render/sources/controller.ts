// Interface of controllers, which turn files of the repository into objects of a cluster.
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { JsonObject } from '../../source/json/json.ts';
import type { Applier, NeverApplied } from '../../source/manifest/manifest.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import type { RenderEngine } from '../engine/render-engine.ts';
import type { HelmSetting, RenderedObject, RenderRequest } from '../engine/render-request.ts';
import type { ChartReference, GitReference, Remote } from './remote/remote.ts';
import type { ClusterTraits } from './root/cluster-traits.ts';

/** Where a fetched chart or repository is in the tree. */
export interface FoundFolder {
  readonly folder: string;
  /** Describes the fetched version. */
  readonly assumes: string;
}

/** Plans one kind of declaration: a Flux Kustomization, a HelmRelease, an Argo CD Application. */
export interface Controller {
  /** Kinds as `group/Kind`, for all versions. */
  readonly kinds: readonly string[];
  /** Builds of the declaration, in the order in which the controller applies them. */
  plan(declaration: Resource, known: DeclarationFacts, tree: FileTree): ControllerPlan;
  /** Names of ConfigMaps and Secrets with values or variables for the declaration; absent if it uses none. */
  takes?(declaration: Resource): readonly string[] | undefined;
  /** Objects of the repository that say which chart or files the declaration builds; absent if it says so itself. */
  sources?(declaration: Resource, known: DeclarationFacts): readonly Resource[];
  /** The part of a declaration, or of one of its sources, that decides which objects are applied; absent: all of it. */
  deciding?(object: Resource): JsonObject;
}

export type ControllerPlan =
  | {
      readonly builds: readonly Build[];
      /** Other objects that the controller applies, e.g. a Namespace. */
      readonly declares?: readonly DeclaredObject[];
      /** Parts that are unknown. The other parts are still applied. */
      readonly unknownParts?: readonly UnknownPart[];
    }
  /** Nothing to build: `spec.suspend`, or a declaration that only creates other declarations. */
  | {
      readonly declares: readonly DeclaredObject[];
      readonly unknownParts?: readonly UnknownPart[];
      /** Files that the created declarations come from. */
      readonly reads?: readonly string[];
    }
  /** The repository does not determine what is applied. */
  | UnknownPart;

export interface UnknownPart {
  readonly unknown: string;
  /** How to fix it. Advice goes here and nowhere else. */
  readonly help: string;
  /** The field that makes it unknown; absent: the declaration as a whole. */
  readonly at?: { readonly object: Resource; readonly path: FieldPath };
  /** True if the source is this repository at a revision that does not have the checked files. */
  readonly isOtherRevision?: true;
  /** What to fetch, if that would resolve it. */
  readonly missing?: readonly Remote[];
  /** Folders of this repository that the unknown part may build. `ANY_PART` stands for unknown parts of a path. */
  readonly mayBuild?: readonly string[];
  /** Files of this repository that the unknown part certainly uses, e.g. values files. */
  readonly reads?: readonly string[];
  /** True if the declaration builds at most one of these folders for each cluster. */
  readonly isOnePerCluster?: boolean;
}

/** `lacking` completes "depends on …". */
export interface LackingPart {
  readonly lacking: string;
  readonly help: string;
}

/** An object that a controller creates, e.g. the Application of an ApplicationSet. */
export interface DeclaredObject {
  readonly value: JsonObject;
  /** The field of the declaration behind a field of the object, or behind its nearest parent field. */
  written(path: FieldPath): FieldPath;
  /** The template field that passed the value on. */
  passedThrough?(path: FieldPath): FieldPath | undefined;
  /** Target cluster, if it differs from that of the declaration. */
  readonly destination?: string;
  /** Namespace of the object if it has none. */
  readonly namespace?: string;
  /** Skip the object if another root applies one of this kind and name to the same cluster. */
  readonly onlyIfAbsent?: boolean;
  readonly assumes?: readonly string[];
}

/** One request to an engine and what the controller does with the answer. */
export interface Build {
  readonly request: RenderRequest | FilesRequest;
  /** Files that the controller writes before it builds, by path. They replace files of the repository. */
  readonly overlay?: ReadonlyMap<string, string>;
  /** For overlay files merged from several others: the sources by path; later ones win. */
  readonly mergedFrom?: ReadonlyMap<string, readonly string[]>;
  /** The folder or chart that is built; its files are not applied separately. */
  readonly folder: string;
  /** True if all files of the folder are applied, with or without a kustomization. */
  readonly takesFolder?: boolean;
  /** Further folders with objects: components in the declaration. */
  readonly alsoTakes?: readonly string[];
  /** Files and folders outside the folder that the build reads, e.g. values files. A change to them can change the result. */
  readonly reads?: readonly string[];
  /** Namespace for namespaced objects that have none; absent: kubectl's `default`. */
  readonly namespace?: string;
  /** Target cluster, as address or name; absent: that of the declaration. */
  readonly destination?: string;
  readonly applier?: Applier;
  /** Assumptions, each a sentence without full stop. */
  readonly assumes?: readonly string[];
  /** True if the source has an address that may belong to another repository. */
  readonly isGuess?: boolean;
  readonly postRender?: PostRender;
  /** Charts of `helmCharts` that are missing, by expected folder. */
  readonly missingCharts?: ReadonlyMap<string, UnknownPart>;
  /** True if templates can look up objects of the cluster, as during an installation. Otherwise lookups find nothing. */
  readonly asksCluster?: boolean;
  /** Charts: other settings that may apply instead of those of the request. `depends` completes "depends on …". */
  readonly alternatives?: readonly { readonly set: readonly HelmSetting[]; readonly depends: string }[];
  /** Values that the repository lacks. The build goes without them, so it may give other objects than the cluster has. */
  readonly lacks?: readonly LackingPart[];
  /** The declaration lists the APIs that its charts see. */
  readonly listsApis?: true;
  /** Undefined for an object that the controller applies. Absent: it applies all objects. */
  neverApplied?(object: JsonObject): NeverApplied | undefined;
  /** Turns the engine's texts into applied texts, e.g. by substitution and labels. Never throws. `objects` belong to `texts` by index. */
  finish?(texts: readonly string[], objects: readonly RenderedObject[]): Finished;
}

/** Kustomizations applied to the objects of a chart, except CRDs in `crds` folders. */
export interface PostRender {
  readonly kustomizations: readonly PostRenderer[];
  readonly takesHooks: boolean;
}

export interface PostRenderer {
  /** Text of a kustomization without resources. */
  readonly kustomization: string;
  /** Path of its settings in the declaration. */
  readonly at: FieldPath;
}

/** Files that are applied unchanged, without an engine. */
export interface FilesRequest {
  readonly engine: 'files';
  readonly files: readonly string[];
  /** Files that contain this text are skipped. */
  readonly leaveOut: string;
}

export type Finished =
  | {
      readonly texts: readonly string[];
      /** Set if `${VAR}` that remains in the texts stands for a value that only the cluster has. */
      readonly variables?: UnknownVariables;
    }
  | { readonly failure: string };

export interface UnknownVariables {
  /** Where the cluster takes the value from: `from ConfigMap flux-system/settings, which is not in Git`. */
  sourceOf(name: string): string | undefined;
}

/** Other objects of the repository that declarations refer to: ConfigMaps with variables or values, sources, charts. */
export interface DeclarationFacts {
  /** By `group/Kind`, namespace and name; undefined if the repository does not have it. */
  find(kind: string, namespace: string, name: string): Resource | undefined;
  all(kind: string): readonly Resource[];
  /**
   * ConfigMaps, Secrets and sources of Flux rendered for the cluster of the declaration, by `group/Kind`, namespace and name. `written`: the
   * answer if nothing is rendered.
   */
  rendered(
    declaration: Resource,
    kind: string,
    namespace: string,
    name: string,
    written?: readonly Resource[],
  ): readonly Resource[];
  /** Configured texts by key of a ConfigMap or Secret that only the cluster has. */
  clusterData(kind: string, namespace: string, name: string): ReadonlyMap<string, string> | undefined;
  /** The folder of a fetched chart, or the reason why the chart is unknown. */
  chart(reference: ChartReference): FoundFolder | UnknownPart;
  /** The top of a fetched repository, or the reason why it is unknown. */
  repository(reference: GitReference): FoundFolder | UnknownPart;
  /** For declarations that are themselves templates. */
  readonly engine: () => RenderEngine;
  /** The cluster that the declaration is applied to. */
  cluster(declaration: Resource): ClusterTraits;
  /** `group/version/Kind` of CustomResourceDefinitions in the repository. */
  readonly apiVersions: readonly string[];
}
