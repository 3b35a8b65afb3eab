// Creates a policy from the text of its spec, and a cluster of definitions to check it against.

import { type Resource, resourcesOf } from '../../src/kubernetes/api/resource.ts';
import { DEFAULT_VERSION, type KubernetesVersion } from '../../src/kubernetes/api/version.ts';
import { RepositoryCluster } from '../../src/kubernetes/cluster/repository-cluster.ts';
import { BuiltinResources } from '../../src/kubernetes/schema/resources.ts';
import {
  readValidatingPolicy,
  type ValidatingPolicy,
} from '../../src/policy/admission/validating/validating-policy.ts';
import { readManifests } from '../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';

/** All documents of a YAML text that are resources. */
export function resourcesIn(text: string, path = 'manifests.yaml'): Resource[] {
  const results = readManifests(new SourceFile(path, text)).manifests.flatMap(resourcesOf);
  return results.flatMap((result) => ('resource' in result ? [result.resource] : []));
}

/** `spec`: JSON or a YAML flow mapping. */
export function validatingPolicy(spec: unknown): ValidatingPolicy {
  const object = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'example' },
    spec,
  };
  const [resource] = resourcesIn(JSON.stringify(object), 'policy.json');
  if (resource === undefined) throw new Error('not a policy');
  return readValidatingPolicy(resource);
}

export function matching(...rules: readonly { group?: string; version?: string; resources: string[] }[]): unknown {
  return {
    resourceRules: rules.map(({ group = '', version = 'v1', resources }) => ({
      apiGroups: [group],
      apiVersions: [version],
      operations: ['CREATE', 'UPDATE'],
      resources,
    })),
  };
}

export function clusterOf(definitions = '', version: KubernetesVersion = DEFAULT_VERSION): RepositoryCluster {
  return new RepositoryCluster({
    version,
    builtin: new BuiltinResources(version.minor),
    resources: resourcesIn(definitions),
    stored: ({ value }) => value,
    defaultNamespace: 'default',
    isComplete: false,
  });
}
