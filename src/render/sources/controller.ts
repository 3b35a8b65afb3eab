// How a controller turns files of the repository into objects of a cluster: what each kind of declaration has to answer.
import type { Resource } from '../../kubernetes/resource.ts';
import type { JsonObject } from '../../source/json.ts';
import type { FileTree } from '../file-tree.ts';
import type { RenderedObject, RenderRequest } from '../render-request.ts';

/** An object that makes a controller apply others: a Flux Kustomization, a HelmRelease, an Argo CD Application. */
export interface Controller {
  /** Kinds as `group/Kind`, whatever the version. */
  readonly kinds: readonly string[];
  /** What the controller makes of the declaration, in the order in which it applies the parts. */
  plan(declaration: Resource, known: KnownObjects, tree: FileTree): Plan;
}

export type Plan =
  | { readonly builds: readonly Build[] }
  /** Nothing is applied, and rightly so: `spec.suspend`, a declaration that only makes others. */
  | { readonly declares: readonly DeclaredObject[] }
  /** What it applies cannot be known from the repository. */
  | { readonly unknown: string; readonly help: string };

/** An object that is not written but made, such as the Application of an ApplicationSet; `of` is where it comes from. */
export interface DeclaredObject {
  readonly value: JsonObject;
}

/** One request to an engine and what the controller does with the answer. */
export interface Build {
  readonly request: RenderRequest;
  /** Files the controller writes before it builds, by path; they hide what the repository has there. */
  readonly overlay?: ReadonlyMap<string, string>;
  /** The folder or chart that is built, so that nobody else applies it as it is written. */
  readonly folder: string;
  /** True where the folder's files are all applied, with or without a kustomization in it. */
  readonly takesFolder?: boolean;
  /** Further folders that objects are taken from: components that the declaration names. */
  readonly alsoTakes?: readonly string[];
  /** What namespaced objects that name none are applied to; absent: kubectl's `default`. */
  readonly namespace?: string;
  readonly postRender?: PostRender;
  /** From the engine's texts to what is applied: substitution, labels. Throws nothing. `objects` are what the texts are of. */
  finish?(texts: readonly string[], objects: readonly RenderedObject[]): Finished;
}

/** What is built over the objects of a chart before they are applied; definitions in its `crds` folders are left out. */
export interface PostRender {
  /** Kustomizations without resources, as texts; each is built over what the one before gave. */
  readonly kustomizations: readonly string[];
  readonly takesHooks: boolean;
}

export type Finished = { readonly texts: readonly (string | undefined)[] } | { readonly failure: string };

/** Other objects of the repository that a declaration refers to: ConfigMaps with variables or values, sources, charts. */
export interface KnownObjects {
  /** By `group/Kind`, namespace and name; undefined if the repository does not have it. */
  find(kind: string, namespace: string, name: string): Resource | undefined;
  all(kind: string): readonly Resource[];
  /** As `1.36.0`: what the cluster says it is. */
  readonly kubernetesVersion: string;
  /** `group/version/Kind` that CustomResourceDefinitions of the repository add. */
  readonly apiVersions: readonly string[];
}
