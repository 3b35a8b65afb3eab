// What is known of the cluster a target describes: kinds, Namespaces, params, authorization. Asked by policies, filled by the engine.
import type { JsonObject } from '../../source/json/json.ts';
import type { AccessRule } from '../access/access.ts';
import type { GroupVersionKind, GroupVersionResource } from '../api/group-version.ts';
import type { Resource } from '../api/resource.ts';
import type { KubernetesVersion } from '../api/version.ts';
import type { RunBudget } from '../request/run-budget.ts';
import type { LabelSelector, Labels } from '../selector/label-selector.ts';

export interface ResourceMapping {
  readonly resource: GroupVersionResource;
  readonly namespaced: boolean;
  /** Where it is known from; `conventional` is a guess: lower-case plural, namespaced unless the name says otherwise. */
  readonly origin: 'builtin' | 'custom-resource-definition' | 'conventional';
}

export interface NamespaceFact {
  /** The Namespace as a server would hold it, `kubernetes.io/metadata.name` included. */
  readonly object: JsonObject;
  /** Its labels, at hand because every namespaceSelector asks for them. */
  readonly labels: Labels;
  /** Undefined when the repository has no such Namespace and only its name is known. */
  readonly resource: Resource | undefined;
}

/** A stored object with the place it was written. */
export interface StoredObject {
  readonly object: JsonObject;
  readonly resource: Resource;
}

/** A kind that a CustomResourceDefinition adds, in one of its versions. */
export interface CustomKind extends GroupVersionKind, GroupVersionResource {
  readonly namespaced: boolean;
  /** Undefined if the version has none. */
  readonly schema: JsonObject | undefined;
  /** As written. */
  readonly definition: Resource;
}

/** Objects that the files hold all of, as somebody says who knows the cluster. */
export interface CompleteObjects {
  readonly kind: string;
  /** Undefined: of any group. */
  readonly group?: string;
  /** Undefined: in every namespace. */
  readonly namespace?: string;
}

export interface Cluster {
  /** Pays for whatever is asked of policies in it. */
  readonly work: RunBudget;
  readonly version: KubernetesVersion;
  /** False for a repository: what it does not hold may exist in the cluster all the same. */
  readonly isComplete: boolean;
  /** Answers to the authorizer's questions that come before those of RBAC objects. */
  readonly accessRules: readonly AccessRule[];
  /** Feature gates that are on though they are off by default. */
  readonly featureGates: readonly string[];
  /** Every Namespace is taken to exist; one that no file defines has only its name label. */
  namespace(name: string): NamespaceFact;
  mappingFor(gvk: GroupVersionKind): ResourceMapping;
  /** True if a kind of the group that is neither built in nor defined by a file cannot exist. */
  isAllKnownOf(group: string): boolean;
  /** The other served versions (and cohabiting groups) of a resource, in registration order (`EquivalentResourceMapper`). */
  equivalentResources(resource: GroupVersionResource, subResource: string): readonly GroupVersionResource[];
  /** Kind a resource is served with; undefined if unknown. */
  kindFor(resource: GroupVersionResource, subResource: string): GroupVersionKind | undefined;
  /** The object in another version of its kind, as the server converts it; undefined where that is not known here. */
  convert(object: JsonObject, from: GroupVersionKind, to: GroupVersionKind): JsonObject | undefined;
  /** True if the files hold every object of the kind in the namespace (empty for cluster-scoped kinds): what they lack does not exist. */
  holdsAll(gvk: GroupVersionKind, namespace: string): boolean;
  /** In the order of their definitions. */
  customKinds(): Iterable<CustomKind>;
  /** Objects of a kind, in repository order; of one namespace, or all for cluster-scoped kinds (empty namespace). */
  objects(gvk: GroupVersionKind, namespace: string): readonly StoredObject[];
  /** Those of them that a selector takes, which is also given as it is written: the same one is asked about again and again. */
  selectedObjects(
    gvk: GroupVersionKind,
    namespace: string,
    written: JsonObject,
    selector: LabelSelector,
  ): readonly StoredObject[];
  /** The one of them with the name. */
  object(gvk: GroupVersionKind, namespace: string, name: string): StoredObject | undefined;
}
