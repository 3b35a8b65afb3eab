// One state of a repository asked of the API servers of several releases: each by itself, then what differs. Pure.
import { compareReleases, type ReleaseComparison } from '../report/comparison/release-comparison.ts';
import { overrideConfiguration } from '../settings/configuration.ts';
import { type CheckInput, checkState } from './check-state.ts';

/** `versions`: known ones, two at least; they come before what the configuration says of its targets. */
export function checkReleases(input: CheckInput, versions: readonly string[]): ReleaseComparison {
  return compareReleases(
    versions.map((kubernetesVersion) => {
      const configuration = overrideConfiguration(input.configuration, { kubernetesVersion });
      return { kubernetesVersion, report: checkState({ ...input, configuration }) };
    }),
  );
}
