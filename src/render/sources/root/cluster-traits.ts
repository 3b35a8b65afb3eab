// What charts can read about the cluster that they are installed in.
import { builtinApiVersions } from './served-apis.ts';

export interface ClusterTraits {
  readonly minor: number;
  /** E.g. `1.36.0`. */
  readonly kubernetesVersion: string;
  /** The configured version with its suffix, e.g. `v1.36.2-eks-1a2b3c4`. Absent: the suffix is unknown. */
  readonly gitVersion?: string;
  /** The configured list of APIs besides those of Kubernetes and the repository. Absent: others may be served. */
  readonly apiVersions?: readonly string[];
}

/** What an installation learns from the cluster. `helm template`, as Argo CD runs it, knows less. */
export function installedFacts({ minor, kubernetesVersion, gitVersion }: ClusterTraits) {
  return {
    kubernetesVersion,
    knownApiVersions: builtinApiVersions(minor),
    ...(gitVersion !== undefined && { gitVersion }),
  };
}
