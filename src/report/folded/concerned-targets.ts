// The clusters that a report is about: in a comparison, only those with judged objects.
import type { Report, TargetSummary } from '../report.ts';
import { derivedTargets } from '../wording/wording.ts';

const MAX_NAMED = 10;

export function concernedTargets({ comparison, targets }: Report): readonly TargetSummary[] {
  return comparison === undefined ? targets : targets.filter(({ evaluated }) => evaluated > 0);
}

/** Clusters that no configuration describes. In a comparison, only their names and numbers, in one sentence. */
export function derivedClusters(report: Report): readonly string[] {
  const targets = concernedTargets(report);
  if (report.comparison === undefined) return derivedTargets(targets);
  const derived = targets.filter(({ derivedFrom }) => derivedFrom !== undefined);
  if (derived.length === 0) return [];
  const named = derived.slice(0, MAX_NAMED).map(({ name, evaluated }) => `${name} (${evaluated} evaluated)`);
  const rest = derived.length - named.length;
  return [rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(', ')];
}
