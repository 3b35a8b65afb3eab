// Checks one state of a repository for several Kubernetes releases, and compares the reports. Pure.
import { compareReleases, type ReleaseComparison } from '../report/comparison/release-comparison.ts';
import { listedFor } from '../report/owner/owner-part.ts';
import type { Report } from '../report/report.ts';
import type { ReleaseStep } from './check/release-steps.ts';
import { type CheckInput, checkState } from './check-state.ts';

export interface AskedReleases {
  readonly steps: readonly ReleaseStep[];
  /** Compares only the findings and problems of this owner. */
  readonly owner?: string;
  /** The report of the first step, if the caller has it. */
  readonly first?: Report;
}

/** `steps`: at least one. */
export function checkReleases(input: CheckInput, { steps, owner, first }: AskedReleases): ReleaseComparison {
  return compareReleases(
    steps.map(({ name, configuration }, index) => {
      const report = (index === 0 ? first : undefined) ?? checkState({ ...input, configuration });
      return { kubernetesVersion: name, report: owner === undefined ? report : listedFor(report, owner) };
    }),
  );
}
