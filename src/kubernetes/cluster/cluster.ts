// The known state of a target's cluster: kinds, Namespaces, params, authorization. Policies read it; the engine fills it.
import type { JsonObject } from '../../source/json/json.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { AccessRule } from '../access/access.ts';
import type { GroupVersionKind, GroupVersionResource } from '../api/group-version.ts';
import type { Resource } from '../api/resource.ts';
import type { KubernetesVersion } from '../api/version.ts';
import type { RunBudget } from '../request/run-budget.ts';
import type { LabelSelector, Labels } from '../selector/label-selector.ts';

export interface ResourceMapping {
  readonly resource: GroupVersionResource;
  readonly namespaced: boolean;
  /** Source of the mapping. `conventional` is a guess: lower-case plural, namespaced unless the kind starts with `Cluster`. */
  readonly origin: 'builtin' | 'custom-resource-definition' | 'conventional';
}

export interface NamespaceFact {
  /** The Namespace as a server holds it, including the label `kubernetes.io/metadata.name`. */
  readonly object: JsonObject;
  /** Its labels, precomputed because every namespaceSelector reads them. */
  readonly labels: Labels;
  /** Undefined if the files do not define the Namespace, so that only its name is known. */
  readonly resource: Resource | undefined;
  /** Only the judged change defines the Namespace, so the cluster may have it with other labels. */
  readonly isClaimed: boolean;
  /** Fields of its file whose values the repository does not contain. */
  readonly openPaths: readonly FieldPath[];
}

/** A stored object with the resource it comes from. */
export interface StoredObject {
  readonly object: JsonObject;
  readonly resource: Resource;
  /** True if the repository does not contain the values of some fields. */
  readonly isOpen: boolean;
}

/** One version of a kind that a CustomResourceDefinition adds. */
export interface CustomKind extends GroupVersionKind, GroupVersionResource {
  readonly namespaced: boolean;
  /** Undefined if the version has no schema. */
  readonly schema: JsonObject | undefined;
  /** As written. */
  readonly definition: Resource;
}

/** Objects for which the configuration declares the files complete. */
export interface CompleteObjects {
  readonly kind: string;
  /** Undefined: any group. */
  readonly group?: string;
  /** Undefined: every namespace. */
  readonly namespace?: string;
}

export function isCompleteKind(
  complete: readonly CompleteObjects[],
  { group, kind }: GroupVersionKind,
  namespace: string,
): boolean {
  return complete.some(
    (each) =>
      each.kind === kind &&
      (each.group === undefined || each.group === group) &&
      (each.namespace === undefined || each.namespace === namespace),
  );
}

export interface Cluster {
  /** Charged for the evaluation of policies in this cluster. */
  readonly work: RunBudget;
  readonly version: KubernetesVersion;
  /** False for a repository: objects that it lacks may still exist in the cluster. */
  readonly isComplete: boolean;
  /** Answers of the authorizer that take precedence over the RBAC objects. */
  readonly accessRules: readonly AccessRule[];
  /** True for gates that are on; gates without an entry have their defaults. */
  readonly featureGates: ReadonlyMap<string, boolean>;
  /** Assumes that every Namespace exists. One that no file defines has only its name label. */
  namespace(name: string): NamespaceFact;
  mappingFor(gvk: GroupVersionKind): ResourceMapping;
  /** True if a kind of the group cannot exist unless it is built in or defined by a file. */
  isAllKnownOf(group: string): boolean;
  /** The other served versions (and cohabiting groups) of a resource, in registration order (`EquivalentResourceMapper`). */
  equivalentResources(resource: GroupVersionResource, subResource: string): readonly GroupVersionResource[];
  /** The kind that serves a resource; undefined if unknown. */
  kindFor(resource: GroupVersionResource, subResource: string): GroupVersionKind | undefined;
  /** The object as the server converts it to another version of its kind; undefined if the conversion is unknown. */
  convert(object: JsonObject, from: GroupVersionKind, to: GroupVersionKind): JsonObject | undefined;
  /**
   * True if the files contain every object of the kind in the namespace (empty for cluster-scoped kinds), so that
   * missing objects do not exist.
   */
  holdsAll(gvk: GroupVersionKind, namespace: string): boolean;
  /** In the order of their definitions. */
  customKinds(): Iterable<CustomKind>;
  /** Objects of a kind, in repository order: those of one namespace, or all of a cluster-scoped kind (empty namespace). */
  objects(gvk: GroupVersionKind, namespace: string): readonly StoredObject[];
  /** The namespaces of all objects of a namespaced kind, in repository order. */
  namespacesWith(gvk: GroupVersionKind): readonly string[];
  /** The objects that a selector matches. `written` is the selector's source and the key of a cache, because policies repeat selectors. */
  selectedObjects(
    gvk: GroupVersionKind,
    namespace: string,
    written: JsonObject,
    selector: LabelSelector,
  ): readonly StoredObject[];
  /** The object with this name. */
  object(gvk: GroupVersionKind, namespace: string, name: string): StoredObject | undefined;
}
