// The clusters that a report is about: in a comparison, only those with judged objects.
import type { Report, TargetSummary } from '../report.ts';

export function concernedTargets({ comparison, targets }: Report): readonly TargetSummary[] {
  return comparison === undefined ? targets : targets.filter(({ evaluated }) => evaluated > 0);
}
