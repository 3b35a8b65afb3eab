// Sections that do not affect the verdict: existing, fixed, accepted and mutated findings, suggestions.

import { fenced } from '../../../diagnostic/markdown.ts';
import { sanitizeLine } from '../../../diagnostic/sanitize.ts';
import { acceptance, acceptedItems, openDiagnostics, openFindings } from '../../baseline/excuse.ts';
import { isCounted } from '../../gate/counted.ts';
import { fixLines } from '../../location/line-fix.ts';
import type { Excuse, Finding, Report, ReportedDiagnostic } from '../../report.ts';
import { count, resourceLabel, suggestionWords } from '../../wording/wording.ts';
import { auditAnnotations, clusterAdditions, mutatedAway } from '../text/mutation-lines.ts';
import type { Block } from './fit-block.ts';
import { lineLink, pathLink } from './links.ts';
import type { MarkdownOptions } from './options.ts';
import { message, name, prose } from './words.ts';

/** Each section with the maximum share of the page that it may fill. */
export function asides(report: Report, options: MarkdownOptions): readonly (readonly [Block, number])[] {
  return [
    [folded('Existing findings, not counted', report.verdict.only === 'new' ? existing(report, options) : []), 0.2],
    [folded('Fixed by this change', (report.comparison?.fixed ?? []).map(fixedFinding)), 0.2],
    [suggestions(report, options), 0.2],
    [folded('Fields added by mutating policies', clusterAdditions(report).map(bullet)), 0.1],
    [folded('Findings removed by mutating policies', mutatedAway(report).map(bullet)), 0.1],
    [folded('Audit annotations', auditAnnotations(report).map(bullet)), 0.1],
    [accepted(report, options), 1],
  ];
}

function folded(title: string, items: readonly string[]): Block {
  return {
    head: `<details><summary>${title} (${items.length})</summary>\n\n`,
    items,
    foot: '\n</details>\n\n',
    more: (rest) => `- ${rest} more\n`,
  };
}

/** One diff per suggestion; repository text is in a fence that it cannot close. */
function suggestions({ suggestions: all = [] }: Report, options: MarkdownOptions): Block {
  return {
    head: `<details><summary>Suggested edits (${all.length})</summary>\n\nMutating policies change these objects before the cluster stores them. With these edits, Git matches what the cluster stores.\n\n`,
    items: all.map((suggestion) => {
      const { fix } = suggestion;
      const where = pathLink(fix.path, fix.line, options);
      return `${where} ${message(suggestionWords(suggestion))}\n\n${fenced('diff', fixLines(fix).map(sanitizeLine))}\n`;
    }),
    foot: '</details>\n\n',
    more: (rest) => `${count(rest, 'more suggestion')}\n`,
  };
}

function existing({ diagnostics, findings, verdict }: Report, options: MarkdownOptions): readonly string[] {
  return [
    ...openDiagnostics(diagnostics)
      .filter((diagnostic) => !isCounted(diagnostic, { ...verdict, only: 'new' }))
      .map((diagnostic) => existingProblem(diagnostic, options)),
    ...openFindings(findings.filter((finding) => !isCounted(finding, { ...verdict, only: 'new' }))).map(
      (finding) => `- ${lineLink(finding.primary, options)} ${subject(finding)}\n`,
    ),
  ];
}

/** Not linked: the finding is in base, and links point to head. */
function fixedFinding(finding: Finding): string {
  return `- ${name(finding.primary.path)} line ${finding.primary.startLine} ${subject(finding)}\n`;
}

function subject({ resource, message: words, policy }: Finding): string {
  return `${name(resourceLabel(resource))}: ${message(words)} (${name(policy.name)})`;
}

function existingProblem({ primary, message: words, code }: ReportedDiagnostic, options: MarkdownOptions): string {
  const where = primary === undefined ? '' : `${lineLink(primary, options)} `;
  return `- ${where}${prose(words)} (${name(code)})\n`;
}

function bullet(words: string): string {
  return `- ${message(words)}\n`;
}

/** Every used annotation, exception and baseline entry; annotations first, because the reviewed change may have added them. */
function accepted(report: Report, options: MarkdownOptions): Block {
  const excused = acceptedItems(report);
  const by = (kind: Excuse['by']) => excused.filter(({ excuse }) => excuse.by === kind);
  const [suppressed, exempted, known] = [by('annotation'), by('exception'), by('baseline')];
  const fresh = suppressed.filter(({ status }) => status === 'new').length;
  const words = [
    ...(suppressed.length === 0 ? [] : [`${suppressed.length} by annotation${fresh === 0 ? '' : ` (${fresh} new)`}`]),
    ...(exempted.length === 0 ? [] : [`${exempted.length} by exception`]),
    ...(known.length === 0 ? [] : [`${known.length} in the baseline`]),
  ];
  return {
    head: `<details><summary>Accepted: ${words.join(', ')}</summary>\n\n`,
    items: [...suppressed, ...exempted, ...known].map(
      ({ subject: object, rule, excuse, status }) =>
        `- ${status === 'new' ? '**new** ' : ''}${name(object)} ${name(rule)}<br>${message(acceptance(excuse))}` +
        `<br><sub>${lineLink(excuse.place, options)}</sub>\n`,
    ),
    foot: '\n</details>\n\n',
    more: (rest) => `- ${rest} more\n`,
  };
}
