// The Kubernetes release that a configured target runs, and what charts learn about it.
import {
  DEFAULT_VERSION,
  formatVersion,
  type KubernetesVersion,
  parseKubernetesVersion,
} from '../../kubernetes/api/version.ts';
import type { ClusterTraits } from '../../render/sources/root/cluster-traits.ts';
import type { ConfiguredTarget } from '../../settings/configuration.ts';
import { compileGlobs } from '../../settings/path-filter.ts';

/** A version with a patch level is what the cluster reports, with or without a suffix of a distribution. */
const REPORTED = /^v?(\d+\.\d+\.\d+)([-+].*)?$/;

export function targetVersion({ kubernetesVersion }: Pick<ConfiguredTarget, 'kubernetesVersion'>): KubernetesVersion {
  return parseKubernetesVersion(kubernetesVersion) ?? DEFAULT_VERSION;
}

/** By the file of a declaration: the first target that selects the file, or the first target. */
export function clusterTraits(targets: readonly ConfiguredTarget[]): (path: string) => ClusterTraits {
  const selections = targets.map(({ manifests, ...target }) => {
    return { isIn: compileGlobs(manifests.include), isOut: compileGlobs(manifests.exclude), traits: traitsOf(target) };
  });
  const [first] = selections;
  const fallback = first?.traits ?? traitsOf({ kubernetesVersion: formatVersion(DEFAULT_VERSION) });
  if (selections.length < 2) return () => fallback;
  return (path) => selections.find(({ isIn, isOut }) => isIn(path) && !isOut(path))?.traits ?? fallback;
}

function traitsOf(target: Pick<ConfiguredTarget, 'kubernetesVersion' | 'apiVersions'>): ClusterTraits {
  const { minor } = targetVersion(target);
  const { apiVersions } = target;
  const [, version, suffix = ''] = REPORTED.exec(target.kubernetesVersion) ?? [];
  return {
    minor,
    kubernetesVersion: version ?? `1.${minor}.0`,
    ...(version !== undefined && { gitVersion: `v${version}${suffix}` }),
    ...(apiVersions !== undefined && { apiVersions }),
  };
}
