// Typed conversion of manifests, kept for the length of a run.
import type { ResourceMapping } from '../kubernetes/cluster.ts';
import type { Resource } from '../kubernetes/resource.ts';
import type { KubernetesVersion } from '../kubernetes/version.ts';
import type { ConvertedObject, ObjectConverter } from './admission-object.ts';

export function typedConverter(_version: KubernetesVersion): ObjectConverter {
  return {
    convert: (resource: Resource, _mapping: ResourceMapping, _namespace: string): ConvertedObject => ({
      object: resource.value,
      diagnostics: [],
      isDefaulted: () => false,
    }),
  };
}
