// Loads a target's Kyverno policies. Entry point of the Kyverno code, which loads only if such policies exist.

import type { Resource } from '../../../kubernetes/api/resource.ts';
import type { Cluster } from '../../../kubernetes/cluster/cluster.ts';
import type { LoadedPolicies, PolicyReferences } from '../../language/policy-language.ts';
import { celReferences } from '../cel-policy/cel-references.ts';
import { policyReferences } from '../classic/policy-references.ts';
import { KyvernoDefinitions } from '../definition/definitions.ts';
import { HELM_RELEASE_GROUP, INSTALLATION_NAME, settingsIn } from '../installation/installation.ts';
import type { ConfiguredKyverno } from '../installation/kyverno-settings.ts';
import { KyvernoPolicies } from './kyverno-policies.ts';
import { isCelPolicy } from './policy-kinds.ts';

/** By minor version of Kubernetes. */
export type DefinitionsByRelease = Map<number, KyvernoDefinitions>;

export function loadPolicies(
  resources: readonly Resource[],
  cluster: Cluster,
  configured: ConfiguredKyverno,
  definitions: DefinitionsByRelease,
): LoadedPolicies {
  return new KyvernoPolicies(resources, cluster, settingsIn(cluster, configured), (version) => {
    const known = definitions.get(version.minor) ?? new KyvernoDefinitions(version);
    definitions.set(version.minor, known);
    return known;
  });
}

export function referencesOf(resources: readonly Resource[]): PolicyReferences {
  const { others = [], ...references } = policyReferences(resources);
  const lookedUp = celReferences(resources.filter(isCelPolicy));
  const installation = [
    { group: '', kind: 'ConfigMap' },
    { group: HELM_RELEASE_GROUP, kind: 'HelmRelease' },
  ];
  return {
    ...references,
    others: [
      ...others,
      ...lookedUp,
      { kinds: installation, objects: [{ name: INSTALLATION_NAME, selector: undefined }] },
    ],
  };
}
