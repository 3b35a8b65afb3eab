// Builds the admission request for creating, updating or deleting a manifest's object.

import type { Resource } from '../../kubernetes/api/resource.ts';
import type { ResourceMapping } from '../../kubernetes/cluster/cluster.ts';
import type { AdmissionRequest, InventedFields, UserInfo } from '../../kubernetes/request/admission-request.ts';
import { generatedName } from '../../kubernetes/validation/generated-name.ts';
import type { JsonObject, JsonValue } from '../../source/json/json.ts';
import { isSamePath } from '../../source/node/field-path.ts';

/** Stands for the five random characters that the server appends to generateName. */
const GENERATED_SUFFIX = 'xxxxx';

/** A change to an object. For DELETE, `resource` is the last written version. */
export type ObjectChange =
  | { readonly operation: 'CREATE'; readonly resource: Resource }
  | { readonly operation: 'UPDATE'; readonly resource: Resource; readonly old: Resource }
  | { readonly operation: 'DELETE'; readonly resource: Resource };

export interface RequestFacts {
  readonly resource: Resource;
  readonly operation: ObjectChange['operation'];
  /** Both objects as the server holds them. `object` is null on DELETE, `oldObject` on CREATE. */
  readonly object: JsonObject | null;
  readonly oldObject: JsonObject | null;
  readonly mapping: ResourceMapping;
  readonly userInfo: UserInfo;
  readonly namespace: string;
  readonly isNamespaceAssumed?: boolean;
  readonly invented?: InventedFields;
}

export function objectRequest(facts: RequestFacts): AdmissionRequest {
  const { resource, operation } = facts;
  return {
    operation,
    kind: resource.gvk,
    resource: facts.mapping.resource,
    subResource: '',
    name: nameOf(resource),
    namespace: facts.namespace,
    ...(facts.isNamespaceAssumed === true && { isNamespaceAssumed: true }),
    object: facts.object,
    oldObject: facts.oldObject,
    options: OPTIONS[operation],
    dryRun: false,
    userInfo: facts.userInfo,
    invented: facts.invented,
  };
}

/** The object's namespace or the default; a Namespace's own name; empty for other cluster-scoped kinds. */
export function requestNamespace(resource: Resource, mapping: ResourceMapping, defaultNamespace: string): string {
  const { group, kind } = resource.gvk;
  if (group === '' && kind === 'Namespace') return nameOf(resource);
  if (!mapping.namespaced) return '';
  return resource.namespace === '' ? (resource.manifest.defaultNamespace ?? defaultNamespace) : resource.namespace;
}

/** The server resolves names before validating admission (`registry/rest/create.go: BeforeCreate`). */
function nameOf(resource: Resource): string {
  if (resource.name !== '' || resource.generateName === '') return resource.name;
  return generatedName(resource.generateName, GENERATED_SUFFIX);
}

const OPTIONS: Readonly<Record<ObjectChange['operation'], JsonObject>> = {
  CREATE: optionsOf('CreateOptions'),
  UPDATE: optionsOf('UpdateOptions'),
  DELETE: optionsOf('DeleteOptions'),
};

function optionsOf(kind: string): JsonObject {
  return new Map<string, JsonValue>([
    ['apiVersion', 'meta.k8s.io/v1'],
    ['kind', kind],
  ]);
}

/** True if the rendering made the name up. */
export function hasMadeUpName({ manifest, rootPath }: Resource): boolean {
  const name = [...rootPath, 'metadata', 'name'];
  return (manifest.madeUpFields ?? []).some((path) => isSamePath(path, name.slice(0, path.length)));
}
