// Differences between releases as Markdown, for job summaries and comments.
import { escapeMarkdown } from '../../../diagnostic/markdown.ts';
import type { ReleaseComparison, ReleaseDifference } from '../../comparison/release-comparison.ts';
import { answerGroups, byKind, DIFFERENCE_TITLES, placeLabel, verdictLines } from '../text/releases-text.ts';

/** Keeps the text below GitHub's limit for a summary. */
const MAX_DIFFERENCES = 200;

export function releasesMarkdown(comparison: ReleaseComparison): string {
  const names = comparison.releases.map(({ kubernetesVersion }) => kubernetesVersion).join(', ');
  const lines = [`## Kubernetes ${escapeMarkdown(names)}`, ''];
  for (const line of verdictLines(comparison)) lines.push(`- ${escapeMarkdown(line)}`);
  const shown = comparison.differences.slice(0, MAX_DIFFERENCES);
  for (const [kind, differences] of byKind(shown)) {
    lines.push('', `### ${DIFFERENCE_TITLES[kind]}`, '');
    for (const difference of differences) for (const line of differenceLines(difference)) lines.push(line);
  }
  const more = comparison.differences.length - shown.length;
  if (more > 0) lines.push('', `… ${more} more`);
  const { findings, diagnostics } = comparison.same;
  const same = findings.length + diagnostics.length;
  if (same > 0) lines.push('', `The same in every release: ${same}.`);
  return `${lines.join('\n')}\n`;
}

function differenceLines(difference: ReleaseDifference): readonly string[] {
  const { subject, what, place, defaulted } = difference;
  const where = place === undefined ? '' : ` (${escapeMarkdown(placeLabel(place))})`;
  const by = defaulted === true ? ', by an API server default' : '';
  const head =
    subject === '' ? `**${escapeMarkdown(what)}**` : `**${escapeMarkdown(subject)}**: ${escapeMarkdown(what)}`;
  return [
    `- ${head}${by}${where}`,
    ...answerGroups(difference).map(([releases, message]) => `  - ${releases}: ${escapeMarkdown(message)}`),
  ];
}
