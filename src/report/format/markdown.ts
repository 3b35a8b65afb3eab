// GitHub-flavoured Markdown: the job summary, the text of the check-run, a page for a wiki.
import { codeSpan, fenced, messageMarkdown, proseMarkdown } from '../../diagnostic/markdown.ts';
import { sanitizeLine } from '../../diagnostic/sanitize.ts';
import { byteLength, cutToBytes } from '../cut-text.ts';
import { acceptance, acceptedItems, openDiagnostics, openFindings } from '../excuse.ts';
import { fixLines } from '../line-fix.ts';
import { isElsewhere } from '../place.ts';
import type { Excuse, Finding, Place, PolicySummary, Report, ReportedDiagnostic } from '../report.ts';
import type { Reporter } from '../reporter.ts';
import { unknownSentences } from '../unknown-wording.ts';
import {
  adviceOf,
  blastRadiusHeadline,
  bySeverity,
  changeHeadline,
  count,
  derivedTargets,
  firstLines,
  isNews,
  needsAttention,
  operationPrefix,
  resourceLabel,
  rootsNote,
  ruleName,
  sourcesExtent,
  storedWords,
  suggestionWords,
  targetNote,
  validationExtent,
  verdictBy,
  verdictHeadline,
} from '../wording.ts';
import { type Block, fitBlock } from './fit-block.ts';
import { listingOf, someOf } from './listing.ts';
import { clusterAdditions, mutatedAway } from './mutation-lines.ts';

export interface MarkdownOptions {
  /** The most the text may have, in UTF-8 bytes; at least 2,000. */
  readonly maxBytes: number;
  /** Where files can be read, to link lines as `<blobUrl>/<path>#L<line>`. */
  readonly blobUrl?: string;
  /** Places that the files there do not have. */
  readonly lost?: ReadonlySet<Place> | undefined;
  /** List every document that was not evaluated. */
  readonly showSkipped?: boolean;
}

/** What a GitHub job summary takes. */
const JOB_SUMMARY_BYTES = 1_048_576;
const MAX_MESSAGE_BYTES = 1_000;
const MAX_NAME_BYTES = 300;
const MAX_URL_LENGTH = 1_000;
const MAX_CAUSES = 5;

const MARKS = { allowed: '✅', denied: '❌', 'nothing-checked': '⚠️' } as const;

export const markdown: Reporter = {
  name: 'markdown',
  extension: 'md',
  render: (report, { showSkipped }) => renderMarkdown(report, { maxBytes: JOB_SUMMARY_BYTES, showSkipped }),
};

/**
 * What a reviewer has to act on comes first. Room is given to the short sections before the findings, each at most a part of it,
 * and each says how much of it did not fit.
 */
export function renderMarkdown(report: Report, options: MarkdownOptions): string {
  const { maxBytes } = options;
  const { conclusion } = report.verdict;
  const mark = conclusion === 'allowed' && needsAttention(report) ? MARKS['nothing-checked'] : MARKS[conclusion];
  const [verdict, words] = splitOnce(verdictHeadline(report), ': ');
  const numbers = report.unusable === undefined ? `<br>${coverage(report)}` : '';
  const head = `## ${mark} ${message(verdict)}\n\n${prose(sentence(words))}${numbers}\n\n`;
  let left = maxBytes - byteLength(head);
  const section = (block: Block, share: number): string => {
    const { text } = fitBlock(block, Math.min(maxBytes * share, left));
    left -= byteLength(text);
    return text;
  };
  const change = section(comparison(report), 0.1) + section(changedRules(report, options), 0.2);
  const context =
    section(policies(report), 0.2) +
    section(clusters(report), 0.1) +
    section(unknowns(report), 0.1) +
    section(notEvaluated(report), 0.1);
  const toDo = section(problems(report, options), 0.15) + section(findings(report, options), 0.8);
  const aside =
    section(folded('Existing, so not counted', report.verdict.only === 'new' ? existing(report) : []), 0.2) +
    section(folded('Fixed by this change', (report.comparison?.fixed ?? []).map(foldedFinding)), 0.2) +
    section(suggestions(report, options), 0.2) +
    section(folded('What the cluster adds', clusterAdditions(report).map(bullet)), 0.1) +
    section(folded('Findings that a policy mutates away', mutatedAway(report).map(bullet)), 0.1) +
    section(accepted(report, options), 1);
  const rest = options.showSkipped === true ? section(skipped(report), 1) : '';
  return head + change + toDo + aside + context + rest;
}

function coverage(report: Report): string {
  const { files, found, evaluated } = report.coverage;
  const words = `${count(files, 'file')}, ${count(found, 'document')} found, ${evaluated} evaluated`;
  const extents = [prose(sourcesExtent(report)), validationExtent(report)].filter((extent) => extent !== '');
  return [`${words}, ${found - evaluated} not evaluated`, ...extents].join('; ');
}

function notEvaluated({ coverage: { notEvaluated: reasons } }: Report): Block {
  return {
    head: '### Not evaluated\n\n| | reason | |\n|--:|---|---|\n',
    items: reasons.map(({ reason, meaning, count: number }) => `| ${number} | ${name(reason)} | ${prose(meaning)} |\n`),
    foot: '\n',
    more: (rest) => `\n${count(rest, 'more reason')}\n`,
  };
}

function comparison({ comparison: compared, notCompared }: Report): Block {
  const sentences = compared === undefined ? [] : [changeHeadline(compared), verdictBy(compared), ...compared.notices];
  if (notCompared !== undefined) sentences.push(`The whole repository was checked, not the change: ${notCompared}`);
  return {
    head: '',
    items: sentences.map((sentence) => `- ${prose(sentence)}\n`),
    foot: '\n',
    more: (rest) => `- ${rest} more\n`,
  };
}

function changedRules({ blastRadius }: Report, options: MarkdownOptions): Block {
  if (blastRadius === undefined) return { head: '', items: [], foot: '', more: () => '' };
  const causes = blastRadius.causes
    .slice(0, MAX_CAUSES)
    .map(({ resource, change }) => `${name(resourceLabel(resource))} ${change}`);
  const more = blastRadius.causes.length > MAX_CAUSES ? `, and ${blastRadius.causes.length - MAX_CAUSES} more` : '';
  const items = blastRadius.entries.map(
    ({ primary, resource, before, after, policies: by, message: words, fields }) => {
      const why = words === undefined ? '' : `<br>${message(firstLines(words)[0] ?? '')}`;
      const where = `${name(primary.path)} ${line(primary, options)}`;
      // Where the answer stays what it is, the news is what is stored.
      const isStored = before === after && why === '' && fields !== undefined;
      const what = isStored ? `${after}, but **stored otherwise**` : `${before} → **${after}**`;
      const lead = isStored ? '' : 'stored otherwise: ';
      const changed = fields === undefined ? '' : `<br>${lead}${message(storedWords(fields))}`;
      return `- ${what} ${name(resourceLabel(resource))} at ${where}${why}${changed}<br><sub>${someOf(by.map(name))}</sub>\n`;
    },
  );
  return {
    head: `### Blast radius: ${blastRadiusHeadline(blastRadius)}\n\nOnce this is merged, because of ${causes.join(', ')}${more}.\n\n`,
    items: items.length === 0 ? [''] : items,
    foot: items.length === 0 ? '' : '\n',
    more: (rest) => `- ${count(rest, 'more object')}\n`,
  };
}

function existing({ diagnostics, findings: all }: Report): readonly string[] {
  return [
    ...openDiagnostics(diagnostics)
      .filter((diagnostic) => !isNews(diagnostic))
      .map(foldedDiagnostic),
    ...openFindings(all.filter((finding) => !isNews(finding))).map(foldedFinding),
  ];
}

function foldedFinding({ primary, resource, message: words, policy }: Finding): string {
  return `- ${name(primary.path)} line ${primary.startLine} ${name(resourceLabel(resource))}: ${message(words)} (${name(policy.name)})\n`;
}

function foldedDiagnostic({ primary, message: words, code }: ReportedDiagnostic): string {
  const where = primary === undefined ? '' : `${name(primary.path)} line ${primary.startLine} `;
  return `- ${where}${prose(words)} (${name(code)})\n`;
}

function bullet(words: string): string {
  return `- ${message(words)}\n`;
}

function folded(title: string, items: readonly string[]): Block {
  return {
    head: `<details><summary>${title} (${items.length})</summary>\n\n`,
    items,
    foot: '\n</details>\n\n',
    more: (rest) => `- ${rest} more\n`,
  };
}

/** Each as a difference; lines of the repository stand in a fence that they cannot end. */
function suggestions({ suggestions: all = [] }: Report, options: MarkdownOptions): Block {
  return {
    head: `<details><summary>What can be written instead (${all.length})</summary>\n\nMutating policies change these objects before the cluster stores them. Written like this, Git says what the cluster has.\n\n`,
    items: all.map((suggestion) => {
      const { fix } = suggestion;
      const where = `${name(fix.path)} ${lineLink(fix.path, fix.line, options)}`;
      return `${where} ${message(suggestionWords(suggestion))}\n\n${fenced('diff', fixLines(fix).map(sanitizeLine))}\n`;
    }),
    foot: '</details>\n\n',
    more: (rest) => `${count(rest, 'more suggestion')}\n`,
  };
}

function policies(report: Report): Block {
  const several = report.targets.length > 1;
  const rows = report.targets.flatMap((target) =>
    target.policies.map((policy) => ({ policy, text: policyRow(policy, several ? target.name : undefined) })),
  );
  const loud = ({ policy }: { readonly policy: PolicySummary }): number =>
    policy.denied > 0 ? 0 : policy.warned > 0 ? 1 : policy.audited > 0 ? 2 : 3;
  return {
    head: '### Policies\n\n| policy | findings |\n|---|---|\n',
    items: rows.sort((left, right) => loud(left) - loud(right)).map(({ text }) => text),
    foot: '\n',
    more: (rest) => `\n${count(rest, 'more row')}\n`,
  };
}

/** In words: a column for each number would be out of sight on a phone. */
function policyRow(policy: PolicySummary, target: string | undefined): string {
  const where = target === undefined ? '' : `<br>on ${name(target)}`;
  const said = (['denied', 'warned', 'audited'] as const)
    .filter((action) => policy[action] > 0)
    .map((action) => `${policy[action]} ${action}`);
  const told = said.length === 0 ? 'none' : said.join(', ');
  const words = policy.matched === 0 ? 'matched nothing' : `${told} in ${count(policy.matched, 'request')}`;
  return `| ${name(policy.name)}${where} | ${words} |\n`;
}

function clusters({ targets }: Report): Block {
  return {
    head: '### Clusters, as the repository tells of them\n\n',
    items: derivedTargets(targets).map((sentence) => `- ${prose(sentence)}\n`),
    foot: '\n',
    more: (rest) => `- ${rest} more\n`,
  };
}

function unknowns(report: Report): Block {
  return {
    head: '### What could not be known\n\n',
    items: unknownSentences(report).map((sentence) => `- ${prose(sentence)}\n`),
    foot: '\n',
    more: (rest) => `- ${rest} more\n`,
  };
}

function problems(report: Report, options: MarkdownOptions): Block {
  return {
    head: '### Problems in policies, configuration and manifests\n\n',
    items: bySeverity(openDiagnostics(report.diagnostics))
      .filter((diagnostic) => report.verdict.only !== 'new' || isNews(diagnostic))
      .map((diagnostic) => problem(diagnostic, options)),
    foot: '\n',
    more: (rest) => `- ${rest} more\n`,
  };
}

function problem(
  { code, severity, message: text, primary, ...rest }: ReportedDiagnostic,
  options: MarkdownOptions,
): string {
  const where = primary === undefined ? '' : `<br>${name(primary.path)} ${line(primary, options)}`;
  const help = adviceOf(rest);
  const advice = help === undefined ? '' : `<br>help: ${prose(help)}`;
  return `- **${severity}** ${name(code)}: ${paragraph(text, prose)}${where}${advice}\n`;
}

/** So many are read at a glance; more are folded. */
const MAX_OPEN_FINDINGS = 10;

/** By file, in the order of the Report. */
function findings(report: Report, options: MarkdownOptions): Block {
  const counted = openFindings(report.findings).filter((each) => report.verdict.only !== 'new' || isNews(each));
  const { files, rest } = listingOf(
    counted,
    ({ primary }) => primary.path,
    ({ resource }) => resourceLabel(resource),
  );
  const open = counted.length > MAX_OPEN_FINDINGS ? '' : ' open';
  return {
    head: '### Findings\n\n',
    items: files.map(({ path, entries, all }) => ({
      head: `<details${open}><summary>${htmlCode(path)} ${tally(all)}</summary>\n\n`,
      items: entries.map((each) => findingItem(each, targetNote(each, report), options)),
      foot: '\n</details>\n\n',
      more: () => '',
    })),
    hidden: rest,
    foot: '',
    more: (left) => `${count(left, 'more finding')}; the JSON report has them all.\n\n`,
  };
}

const ACTION_WORDS = { error: 'denied', warning: 'warned', notice: 'audited' } as const;

function tally(list: readonly Finding[]): string {
  return Object.entries(ACTION_WORDS)
    .map(([severity, word]) => ({ word, number: list.filter((finding) => finding.severity === severity).length }))
    .filter(({ number }) => number > 0)
    .map(({ word, number }) => `${number} ${word}`)
    .join(', ');
}

function findingItem(finding: Finding, target: string, options: MarkdownOptions): string {
  const { policy, binding, param, fieldPath } = finding;
  const field = fieldPath === '' ? '' : `, ${name(fieldPath)}${finding.defaulted === true ? ' (by default)' : ''}`;
  const rule = [
    `${name(policy.name)} ${name(ruleName(finding))}`,
    ...(binding === undefined ? [] : [`binding ${name(binding)}`]),
    ...(param === undefined ? [] : [`param ${name(resourceLabel(param))}`]),
    ...(finding.mayBeChangedBy === undefined
      ? []
      : [`may be changed before by ${someOf(finding.mayBeChangedBy.map(name))}`]),
  ];
  const note = [rootsNote(finding), target].filter((words) => words !== '').join(', ');
  const roots = note === '' ? '' : `<br><sub>${prose(note)}</sub>`;
  return (
    `- **${ACTION_WORDS[finding.severity]}** ${operationPrefix(finding)}${name(resourceLabel(finding.resource))} at ${place(finding, options)}${field}` +
    `<br>${paragraph(finding.message)}<br><sub>${rule.join(', ')}</sub>${roots}\n`
  );
}

/** Every use of an annotation and of the baseline, annotations first: those are the work of the change under review. */
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
      ({ subject, rule, excuse, status }) =>
        `- ${status === 'new' ? '**new** ' : ''}${name(subject)} ${name(rule)}<br>${message(acceptance(excuse))}` +
        `<br><sub>${name(excuse.place.path)} ${line(excuse.place, options)}</sub>\n`,
    ),
    foot: '\n</details>\n\n',
    more: (rest) => `- ${rest} more\n`,
  };
}

/** What is deleted stands in base, and head's files have no such line to link. */
function place({ primary, operation }: Finding, options: MarkdownOptions): string {
  return operation === 'DELETE' ? `line ${primary.startLine} before the change` : line(primary, options);
}

function skipped(report: Report): Block {
  return {
    head: '<details><summary>Each document not evaluated</summary>\n\n',
    items: report.coverage.skipped.map(({ path, line: at, reason, detail }) => {
      const where = at === undefined ? name(path) : `${name(path)} line ${at}`;
      return `- ${where}: ${name(reason)}${detail === undefined ? '' : `, ${message(detail)}`}\n`;
    }),
    foot: '\n</details>\n',
    more: (rest) => `- ${rest} more\n`,
  };
}

function line(place: Place, options: MarkdownOptions): string {
  const { path, startLine } = place;
  if (options.lost?.has(place)) return `line ${startLine} of the merge commit`;
  return isElsewhere(place) ? `line ${startLine}` : lineLink(path, startLine, options);
}

function lineLink(path: string, startLine: number, { blobUrl }: MarkdownOptions): string {
  const words = `line ${startLine}`;
  if (blobUrl === undefined) return words;
  const encoded = path
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
  const url = `${blobUrl}/${encoded.replaceAll('(', '%28').replaceAll(')', '%29')}#L${startLine}`;
  return url.length > MAX_URL_LENGTH ? words : `[${words}](${url})`;
}

function message(text: string): string {
  return messageMarkdown(cutToBytes(text, MAX_MESSAGE_BYTES));
}

/** Words of our own. */
function prose(text: string): string {
  return proseMarkdown(cutToBytes(text, MAX_MESSAGE_BYTES));
}

/** A text that may have lines of its own. */
function paragraph(text: string, write = messageMarkdown): string {
  return firstLines(cutToBytes(text, MAX_MESSAGE_BYTES)).map(write).join('<br>');
}

function sentence(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

function name(text: string): string {
  return codeSpan(cutToBytes(text, MAX_NAME_BYTES));
}

/** A code span inside an HTML element, where Markdown is not read; mentions and links are not made in it either. */
function htmlCode(text: string): string {
  const escaped = sanitizeLine(cutToBytes(text, MAX_NAME_BYTES)).replace(
    /[&<>"]/g,
    (found) => `&#${found.charCodeAt(0)};`,
  );
  return `<code>${escaped}</code>`;
}
