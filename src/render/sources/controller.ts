// How a controller turns files of the repository into objects of a cluster: what each kind of declaration has to answer.
import type { Resource } from '../../kubernetes/api/resource.ts';
import type { JsonObject } from '../../source/json/json.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { FileTree } from '../engine/file-tree.ts';
import type { RenderEngine } from '../engine/render-engine.ts';
import type { RenderedObject, RenderRequest } from '../engine/render-request.ts';
import type { ChartReference } from './chart-reference.ts';

export interface FoundChart {
  /** Folder of the chart in the tree. */
  readonly folder: string;
  /** What of it is recorded. */
  readonly assumes: string;
}

/** An object that makes a controller apply others: a Flux Kustomization, a HelmRelease, an Argo CD Application. */
export interface Controller {
  /** Kinds as `group/Kind`, whatever the version. */
  readonly kinds: readonly string[];
  /** What the controller makes of the declaration, in the order in which it applies the parts. */
  plan(declaration: Resource, known: DeclarationFacts, tree: FileTree): ControllerPlan;
  /** Names of ConfigMaps and Secrets that it takes values or variables from; absent: it takes nothing. */
  takes?(declaration: Resource): readonly string[] | undefined;
}

export type ControllerPlan =
  | {
      readonly builds: readonly Build[];
      /** What the controller applies besides, as a Namespace it creates. */
      readonly declares?: readonly DeclaredObject[];
      /** Parts of which nothing is known; the others are applied all the same. */
      readonly unknownParts?: readonly UnknownPart[];
    }
  /** Nothing is built, and rightly so: `spec.suspend`, a declaration that only makes others. */
  | { readonly declares: readonly DeclaredObject[]; readonly unknownParts?: readonly UnknownPart[] }
  /** What it applies cannot be known from the repository. */
  | UnknownPart;

export interface UnknownPart {
  /** What is not known, and why. */
  readonly unknown: string;
  /** The way out. */
  readonly help: string;
  /** What would be known if somebody fetched it. */
  readonly chart?: ChartReference;
}

/** An object that is not written but made, such as the Application of an ApplicationSet. */
export interface DeclaredObject {
  readonly value: JsonObject;
  /** The field of the declaration that a field of the object was made from; the nearest one above it if that is not written. */
  written(path: FieldPath): FieldPath;
  /** The field that passed on what is written there, as one of a template does. */
  passedThrough?(path: FieldPath): FieldPath | undefined;
  /** The cluster it is applied to, where that is not the one of the declaration. */
  readonly destination?: string;
  /** Namespace of the object if it names none. */
  readonly namespace?: string;
  /** Made only where nothing else applies an object of this kind and name to the same cluster. */
  readonly onlyIfAbsent?: boolean;
  /** What was taken for granted. */
  readonly assumes?: readonly string[];
}

/** One request to an engine and what the controller does with the answer. */
export interface Build {
  readonly request: RenderRequest | FilesRequest;
  /** Files the controller writes before it builds, by path; they hide what the repository has there. */
  readonly overlay?: ReadonlyMap<string, string>;
  /** Of files of the overlay that are others merged into one: these others, later ones win. */
  readonly mergedFrom?: ReadonlyMap<string, readonly string[]>;
  /** The folder or chart that is built, so that nobody else applies it as it is written. */
  readonly folder: string;
  /** True where the folder's files are all applied, with or without a kustomization in it. */
  readonly takesFolder?: boolean;
  /** Further folders that objects are taken from: components that the declaration names. */
  readonly alsoTakes?: readonly string[];
  /** Files and folders outside of the folder that are read as well, as values files; a change of them changes what is built. */
  readonly reads?: readonly string[];
  /** What namespaced objects that name none are applied to; absent: kubectl's `default`. */
  readonly namespace?: string;
  /** The cluster it is applied to: address or name; absent: the one of the declaration. */
  readonly destination?: string;
  /** What was taken for granted, a sentence each without a full stop. */
  readonly assumes?: readonly string[];
  readonly postRender?: PostRender;
  /** True if templates can look objects of the cluster up, as an installation can; otherwise they find nothing. */
  readonly asksCluster?: boolean;
  /** True if `${VAR}` that is left in what it applies stands for what only the cluster knows. */
  readonly leavesVariables?: boolean;
  /** From the engine's texts to what is applied: substitution, labels. Throws nothing. `objects` are what the texts are of. */
  finish?(texts: readonly string[], objects: readonly RenderedObject[]): Finished;
}

/** What is built over the objects of a chart before they are applied; definitions in its `crds` folders are left out. */
export interface PostRender {
  /** Each is built over what the one before gave. */
  readonly kustomizations: readonly PostRenderer[];
  readonly takesHooks: boolean;
}

export interface PostRenderer {
  /** A kustomization without resources, as a text. */
  readonly kustomization: string;
  /** Where its settings stand in the declaration. */
  readonly at: FieldPath;
}

/** Files that are applied as they are written, without an engine. */
export interface FilesRequest {
  readonly engine: 'files';
  /** In the order in which they are applied. */
  readonly files: readonly string[];
  /** Files that hold this text are left out. */
  readonly leaveOut: string;
}

export type Finished = { readonly texts: readonly (string | undefined)[] } | { readonly failure: string };

/** Other objects of the repository that a declaration refers to: ConfigMaps with variables or values, sources, charts. */
export interface DeclarationFacts {
  /** By `group/Kind`, namespace and name; undefined if the repository does not have it. */
  find(kind: string, namespace: string, name: string): Resource | undefined;
  all(kind: string): readonly Resource[];
  /** Objects that are rendered for the cluster of a declaration, in a namespace and with a name; ConfigMaps and Secrets alone. */
  rendered(declaration: Resource, kind: string, namespace: string, name: string): readonly Resource[];
  /** Texts by key of a ConfigMap or Secret that only the cluster has, as far as somebody told them. */
  clusterData(kind: string, namespace: string, name: string): ReadonlyMap<string, string> | undefined;
  /** A chart that does not lie in the repository: its folder, if it was fetched. */
  chart(reference: ChartReference): FoundChart | UnknownPart;
  /** For declarations that are templates themselves. */
  readonly engine: () => RenderEngine;
  /** As `1.36.0`: what the cluster says it is. */
  readonly kubernetesVersion: string;
  /** `group/version/Kind` that CustomResourceDefinitions of the repository add. */
  readonly apiVersions: readonly string[];
}
