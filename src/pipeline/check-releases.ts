// Checks one state of a repository for several Kubernetes releases, and compares the reports. Pure.
import { compareReleases, type ReleaseComparison } from '../report/comparison/release-comparison.ts';
import { listedFor } from '../report/owner/owner-part.ts';
import { overrideConfiguration } from '../settings/configuration.ts';
import { type CheckInput, checkState } from './check-state.ts';

/** `owner`: compares only the findings and problems of this owner. `versions`: at least two supported releases. They override the releases of the configuration's targets. */
export function checkReleases(input: CheckInput, versions: readonly string[], owner?: string): ReleaseComparison {
  return compareReleases(
    versions.map((kubernetesVersion) => {
      const configuration = overrideConfiguration(input.configuration, { kubernetesVersion });
      const report = checkState({ ...input, configuration });
      return { kubernetesVersion, report: owner === undefined ? report : listedFor(report, owner) };
    }),
  );
}
