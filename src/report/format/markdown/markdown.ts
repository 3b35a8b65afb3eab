// GitHub-flavoured Markdown for job summary, check-run, comment, issue and wiki page.

import type { Report } from '../../report.ts';
import { type Reporter, reporterOf } from '../../reporter.ts';
import { byteLength } from '../../wording/cut-text.ts';
import { reviewHeading } from '../../wording/review-heading.ts';
import { isBadNews, listedSentence } from '../../wording/wording.ts';
import { asides } from './asides.ts';
import { candidateRules, changedRules } from './blast-radius.ts';
import { coverageSection, unknowns } from './coverage.ts';
import { findingsText } from './findings.ts';
import { type Block, fitBlock } from './fit-block.ts';
import { footer } from './footer.ts';
import { historySections } from './history.ts';
import type { MarkdownOptions } from './options.ts';
import { ownersText } from './owners.ts';
import { problems } from './problems.ts';
import { repositoryTable } from './repositories.ts';
import { upgradeTable } from './upgrades.ts';
import { prose } from './words.ts';

/** Size limit of a GitHub job summary. */
const JOB_SUMMARY_BYTES = 1_048_576;

const MARKS = { allowed: '✅', denied: '❌', undecided: '⚠️', 'nothing-checked': '⚠️' } as const;

export const markdown: Reporter = reporterOf({
  name: 'markdown',
  extension: 'md',
  pieces: (report, { showSkipped, groupBy }) => [
    renderMarkdown(report, { maxBytes: JOB_SUMMARY_BYTES, showSkipped, ...(groupBy && { groupBy }) }),
  ],
});

/**
 * Most important sections first. Short sections get space before the findings, each up to its share, and each states how much did not fit.
 */
export function renderMarkdown(report: Report, options: MarkdownOptions): string {
  const { maxBytes, belowHeading = '' } = options;
  const head = `## ${headingLine(report)}\n\n${belowHeading}`;
  const foot = footer(report, options);
  let left = maxBytes - byteLength(head) - byteLength(foot);
  const section = (block: Block, share: number): string => {
    const { text } = fitBlock(block, Math.min(maxBytes * share, left));
    left -= byteLength(text);
    return text;
  };
  const history = historySections(report)
    .map(([block, share]) => section(block, share))
    .join('');
  const change =
    section(notices(report), 0.1) +
    section(repositoryTable(report), 0.3) +
    section(changedRules(report, options), 0.2) +
    section(candidateRules(report, options), 0.2) +
    section(upgradeTable(report), 0.2);
  const coverage = section(unknowns(report), 0.1) + section(coverageSection(report, options), 0.25);
  const isGrouped = options.groupBy === 'owner';
  const mistakes = isGrouped ? '' : section(problems(report, options), 0.15);
  const hasTitle = change !== '' || mistakes !== '';
  const room = Math.min(maxBytes * 0.8, left);
  const findings = isGrouped ? ownersText(report, room, options) : findingsText(report, room, hasTitle, options);
  left -= byteLength(findings);
  const aside = asides(report, options)
    .map(([block, share]) => section(block, share))
    .join('');
  return head + history + change + mistakes + findings + aside + coverage + foot;
}

/** `❌ Admission policies: 2 of 17 objects would be denied`. */
export function headingLine(report: Report): string {
  const { conclusion } = report.verdict;
  const mark = conclusion === 'allowed' && isBadNews(report) ? MARKS['nothing-checked'] : MARKS[conclusion];
  return `${mark} Admission policies: ${prose(reviewHeading(report))}`;
}

function notices({ comparison, notCompared, listed }: Report): Block {
  const sentences = [...(comparison?.notices ?? [])];
  if (listed !== undefined) sentences.push(listedSentence(listed));
  if (notCompared !== undefined) sentences.push(`The whole repository was checked, not the change: ${notCompared}`);
  return {
    head: '',
    items: sentences.map((sentence) => `- ${prose(sentence)}\n`),
    foot: '\n',
    more: (rest) => `- ${rest} more\n`,
  };
}
