// Collects the resources of the repository that belong to one configured target.
import type { Target } from '../../engine/target/target.ts';
import type { ConfiguredTarget } from '../../settings/configuration.ts';
import { compileGlobs } from '../../settings/path-filter.ts';
import { SCHEMA_SOURCE } from '../../settings/policy-source.ts';
import type { ServerValidation } from '../../validation/server-validation.ts';
import { languagesOf } from '../state/languages.ts';
import type { FoundResource } from '../state/read-repository.ts';
import { targetVersion } from '../state/target-version.ts';
import { withoutCopies } from './contradictions.ts';

/** A target's API server, without the contents of the cluster. */
export function serverOf(configured: ConfiguredTarget): Omit<Target, 'manifests' | 'policies' | 'facts'> {
  return {
    name: configured.name,
    kubernetesVersion: targetVersion(configured),
    fieldValidation: configured.fieldValidation,
    disabledAdmissionPlugins: configured.disabledAdmissionPlugins.filter((plugin) => plugin !== 'PodSecurity'),
    ...(Object.keys(configured.apiServer).length > 0 && { apiServer: configured.apiServer }),
    complete: configured.complete,
    featureGates: configured.featureGates,
    ...(configured.mutationDrift !== 'off' && { mutationDrift: configured.mutationDrift }),
    userInfo: configured.user,
    defaultNamespace: 'default',
  };
}

/** The target's server with its own validation, unless the configuration switches it off. */
export function ownValidation(
  { validation }: ConfiguredTarget,
  serverValidation: ServerValidation | undefined,
): Pick<Target, 'serverValidation'> {
  return serverValidation === undefined || validation === 'off' ? {} : { serverValidation };
}

/** `belongs`: false for resources of other clusters. Adds the resources that the target evaluates to `taken`. */
export function targetOf(
  configured: ConfiguredTarget,
  resources: readonly FoundResource[],
  taken: Set<FoundResource>,
  isOurs: (found: FoundResource) => boolean,
  belongs?: (found: FoundResource) => boolean,
): Target {
  const included = compileGlobs(configured.manifests.include);
  const excluded = compileGlobs(configured.manifests.exclude);
  const mayHoldPolicies = compileGlobs(configured.policies);
  const isFact = compileGlobs(configured.clusterFacts);
  const pathOf = ({ resource }: FoundResource): string => resource.manifest.file.path;
  const candidates =
    belongs === undefined ? resources : resources.filter((found) => found.source !== undefined || belongs(found));
  const manifests = candidates.filter(
    (found) => found.selected && included(pathOf(found)) && !excluded(pathOf(found)) && !isFact(pathOf(found)),
  );
  for (const found of manifests) taken.add(found);
  const { policySources } = configured;
  const policies = candidates.filter((found) =>
    found.source === undefined
      ? mayHoldPolicies(pathOf(found))
      : found.source === SCHEMA_SOURCE || (policySources?.includes(found.source) ?? true),
  );
  const evaluated = new Set([...manifests, ...policies]);
  const facts = candidates.filter(
    (found) => evaluated.has(found) || (found.source === undefined && isFact(pathOf(found))),
  );
  const bare = (found: readonly FoundResource[]) => found.map(({ resource }) => resource);
  return {
    ...serverOf(configured),
    manifests: bare(manifests.filter(isOurs)),
    policies: withoutCopies(bare(policies), languagesOf(configured)),
    facts: bare(facts),
  };
}
