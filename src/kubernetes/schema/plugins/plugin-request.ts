// What an admission plugin gets and answers.
import type { JsonObject } from '../../../source/json/json.ts';
import type { FieldPath } from '../../../source/node/field-path.ts';
import type { GroupVersionKind } from '../../api/group-version.ts';
import type { CreationContext } from '../creation/creation-function.ts';
import { childObject, childText, type MutableObject } from '../typed-field.ts';

export type AdmissionPlugin =
  | 'DefaultIngressClass'
  | 'DefaultStorageClass'
  | 'DefaultTolerationSeconds'
  | 'LimitRanger'
  | 'NamespaceLifecycle'
  | 'PersistentVolumeClaimResize'
  | 'Priority'
  | 'ResourceQuota'
  | 'RuntimeClass'
  | 'ServiceAccount'
  | 'StorageObjectInUseProtection';

/** The objects of the repository that plugins look up. */
export interface KnownObjects {
  /** As stored: those of a namespace, or all of a cluster-scoped kind. Leaves out objects with values that are unknown. */
  objects(gvk: GroupVersionKind, namespace: string): readonly JsonObject[];
  /** True if the repository has this object, also if some of its values are unknown. */
  has(gvk: GroupVersionKind, namespace: string, name: string): boolean;
  /** True if the cluster has no other objects of the kind in the namespace. */
  holdsAll(gvk: GroupVersionKind, namespace: string): boolean;
}

export const NO_OBJECTS: KnownObjects = { objects: () => [], has: () => false, holdsAll: () => false };

/** Why a plugin forbids an object. */
export interface PluginRefusal {
  /** The server's error inside of `<resource> "<name>" is forbidden: …`. */
  readonly message: string;
  /** The field to show. */
  readonly path: FieldPath;
  /** Fields that decide; a refusal with an unknown value in one of them is uncertain. */
  readonly reads: readonly FieldPath[];
  /** The plugin comes after the validating policies. */
  readonly isAfterPolicies?: true;
}

/** An object that a field names and the repository does not contain; it may be in the cluster. */
export interface MissingObject {
  readonly kind: string;
  readonly name: string;
  readonly path: FieldPath;
}

export interface PluginContext extends CreationContext {
  /** The first refusal is the server's answer. */
  forbid(refusal: PluginRefusal): void;
  miss(missing: MissingObject): void;
}

export const SERVICE_ACCOUNT: GroupVersionKind = { group: '', version: 'v1', kind: 'ServiceAccount' };
export const LIMIT_RANGE: GroupVersionKind = { group: '', version: 'v1', kind: 'LimitRange' };
export const RESOURCE_QUOTA: GroupVersionKind = { group: '', version: 'v1', kind: 'ResourceQuota' };
export const PRIORITY_CLASS: GroupVersionKind = { group: 'scheduling.k8s.io', version: 'v1', kind: 'PriorityClass' };
export const RUNTIME_CLASS: GroupVersionKind = { group: 'node.k8s.io', version: 'v1', kind: 'RuntimeClass' };
export const STORAGE_CLASS: GroupVersionKind = { group: 'storage.k8s.io', version: 'v1', kind: 'StorageClass' };
export const INGRESS_CLASS: GroupVersionKind = { group: 'networking.k8s.io', version: 'v1', kind: 'IngressClass' };

export function lookedUpName(object: JsonObject): string {
  const metadata = childObject(object as MutableObject, 'metadata');
  return metadata === undefined ? '' : childText(metadata, 'name');
}

/** The object with this name, as plugins find it in the cluster. */
export function findNamed(objects: readonly JsonObject[], name: string): MutableObject | undefined {
  return objects.find((object) => lookedUpName(object) === name) as MutableObject | undefined;
}

export function annotationsIn(object: JsonObject): MutableObject | undefined {
  const metadata = childObject(object as MutableObject, 'metadata');
  return metadata && childObject(metadata, 'annotations');
}
