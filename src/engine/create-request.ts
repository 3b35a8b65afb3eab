// The request that applying a manifest makes to the API server, on creation.
import type { AdmissionRequest, UserInfo } from '../kubernetes/admission-request.ts';
import type { ResourceMapping } from '../kubernetes/cluster.ts';
import type { Resource } from '../kubernetes/resource.ts';
import type { JsonObject, JsonValue } from '../source/json.ts';

/** What the server adds to generateName; the five characters are random, so these only stand for them. */
export const GENERATED_SUFFIX = 'xxxxx';

export function createRequest(
  resource: Resource,
  object: JsonObject,
  mapping: ResourceMapping,
  userInfo: UserInfo,
  namespace: string,
): AdmissionRequest {
  return {
    operation: 'CREATE',
    kind: resource.gvk,
    resource: mapping.resource,
    subResource: '',
    name: nameOf(resource),
    namespace,
    object,
    oldObject: null,
    options: CREATE_OPTIONS,
    dryRun: false,
    userInfo,
  };
}

/** The namespace of a request: the object's or the default; a Namespace's own name; empty for other cluster-scoped kinds. */
export function requestNamespace(resource: Resource, mapping: ResourceMapping, defaultNamespace: string): string {
  const { group, kind } = resource.gvk;
  if (group === '' && kind === 'Namespace') return nameOf(resource);
  if (!mapping.namespaced) return '';
  return resource.namespace === '' ? defaultNamespace : resource.namespace;
}

/** Names are resolved before the validating phase (`registry/rest/create.go: BeforeCreate`). */
function nameOf(resource: Resource): string {
  if (resource.name !== '' || resource.generateName === '') return resource.name;
  return `${resource.generateName}${GENERATED_SUFFIX}`;
}

const CREATE_OPTIONS: JsonObject = new Map<string, JsonValue>([
  ['apiVersion', 'meta.k8s.io/v1'],
  ['kind', 'CreateOptions'],
]);
