// The build of a kustomization that no controller applies, as `kustomize build` with all features.
import type { Build } from '../controller.ts';

export function kustomizationBuild(folder: string, kubernetesVersion: string, apiVersions: readonly string[]): Build {
  return {
    request: {
      engine: 'kustomize',
      root: folder === '.' ? '' : folder,
      anyFile: true,
      enableHelm: true,
      kubernetesVersion,
      apiVersions,
    },
    folder,
  };
}
