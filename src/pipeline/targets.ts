// A target of the configuration with the resources of the repository that belong to it.
import type { Target } from '../engine/target.ts';
import { DEFAULT_VERSION, type KubernetesVersion, parseKubernetesVersion } from '../kubernetes/version.ts';
import type { ConfiguredTarget } from '../settings/configuration.ts';
import { compileGlobs } from '../settings/path-filter.ts';
import type { FoundResource } from './read-repository.ts';

export function targetVersion({ kubernetesVersion }: ConfiguredTarget): KubernetesVersion {
  return parseKubernetesVersion(kubernetesVersion) ?? DEFAULT_VERSION;
}

/** `taken` gains the resources that the target evaluates. */
export function targetOf(
  configured: ConfiguredTarget,
  resources: readonly FoundResource[],
  taken: Set<FoundResource>,
  isOurs: (found: FoundResource) => boolean,
): Target {
  const included = compileGlobs(configured.manifests.include);
  const excluded = compileGlobs(configured.manifests.exclude);
  const mayHoldPolicies = compileGlobs(configured.policies);
  const isFact = compileGlobs(configured.clusterFacts);
  const pathOf = ({ resource }: FoundResource): string => resource.manifest.file.path;
  const manifests = resources.filter(
    (found) => found.selected && included(pathOf(found)) && !excluded(pathOf(found)) && !isFact(pathOf(found)),
  );
  for (const found of manifests) taken.add(found);
  const policies = resources.filter((found) => mayHoldPolicies(pathOf(found)));
  const evaluated = new Set([...manifests, ...policies]);
  const facts = resources.filter((found) => evaluated.has(found) || isFact(pathOf(found)));
  const bare = (found: readonly FoundResource[]) => found.map(({ resource }) => resource);
  return {
    name: configured.name,
    kubernetesVersion: targetVersion(configured),
    fieldValidation: configured.fieldValidation,
    disabledAdmissionPlugins: configured.disabledAdmissionPlugins.filter((plugin) => plugin !== 'PodSecurity'),
    complete: configured.complete,
    featureGates: configured.featureGates,
    ...(configured.mutationDrift !== 'off' && { mutationDrift: configured.mutationDrift }),
    userInfo: configured.user,
    defaultNamespace: 'default',
    manifests: bare(manifests.filter(isOurs)),
    policies: bare(policies),
    facts: bare(facts),
  };
}
