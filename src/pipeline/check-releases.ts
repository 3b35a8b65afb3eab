// Checks one state of a repository for several Kubernetes releases, and compares the reports. Pure.
import { compareReleases, type ReleaseComparison } from '../report/comparison/release-comparison.ts';
import { overrideConfiguration } from '../settings/configuration.ts';
import { type CheckInput, checkState } from './check-state.ts';

/** `versions`: at least two supported releases. They override the releases of the configuration's targets. */
export function checkReleases(input: CheckInput, versions: readonly string[]): ReleaseComparison {
  return compareReleases(
    versions.map((kubernetesVersion) => {
      const configuration = overrideConfiguration(input.configuration, { kubernetesVersion });
      return { kubernetesVersion, report: checkState({ ...input, configuration }) };
    }),
  );
}
