// The Kubernetes release that a configured target runs.
import { DEFAULT_VERSION, type KubernetesVersion, parseKubernetesVersion } from '../../kubernetes/api/version.ts';
import type { ConfiguredTarget } from '../../settings/configuration.ts';

export function targetVersion({ kubernetesVersion }: ConfiguredTarget): KubernetesVersion {
  return parseKubernetesVersion(kubernetesVersion) ?? DEFAULT_VERSION;
}
