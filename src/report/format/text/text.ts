// Report as terminal text: findings by file with source lines, then coverage and verdict.

import { excerptFrame } from '../../../diagnostic/code-frame.ts';
import { sanitizeLine } from '../../../diagnostic/sanitize.ts';
import { acceptance, acceptedItems } from '../../baseline/excuse.ts';
import { derivedClusters } from '../../folded/concerned-targets.ts';
import { deletionLines } from '../../folded/deletions.ts';
import { type FoldedUnknowns, foldedUnknowns } from '../../folded/new-unknowns.ts';
import { fixLines } from '../../location/line-fix.ts';
import type { BlastRadius, LineFix, Place, Report, Severity } from '../../report.ts';
import { type Reporter, type ReporterOptions, reporterOf } from '../../reporter.ts';
import {
  blastRadiusHeadline,
  causeWords,
  changeHeadline,
  count,
  fetchedExtent,
  firstLines,
  isBadNews,
  listedSentence,
  ownershipSentences,
  resourceLabel,
  settingsExtent,
  shortId,
  sourcesExtent,
  storedWords,
  suggestionWords,
  validationExtent,
  verdictBy,
  verdictChange,
  verdictHeadline,
} from '../../wording/wording.ts';
import { type ListedEntry, listedEntries, type Note } from './entries.ts';
import { existingLines, fixedLines, repeatedLines } from './folded-lines.ts';
import { historyLines } from './history-lines.ts';
import { idlePolicies } from './idle-policies.ts';
import { type Listing, someOf } from './listing.ts';
import { auditAnnotations, clusterAdditions, mutatedAway } from './mutation-lines.ts';
import { repositoryLine, worstFirst } from './repository-lines.ts';
import { actionLine, releaseLines } from './upgrade-lines.ts';
import { whatIfLines } from './what-if-lines.ts';

export const text: Reporter = reporterOf({
  name: 'text',
  extension: 'txt',
  pieces: (report, options) => {
    const page = new Page(options);
    const isGrouped = options.groupBy === 'owner';
    const { files, rest } = listedEntries(report, isGrouped);
    for (const [index, file] of files.entries()) {
      if (isGrouped && file.group !== files[index - 1]?.group) page.owner(file.group);
      page.file(file);
    }
    page.rest(rest);
    page.blastRadius(report);
    page.repositories(report);
    page.whatIf(report);
    page.upgrades(report);
    if (!options.quiet) {
      if (isGrouped || report.listed !== undefined) page.ownership(report);
      page.history(report);
      page.accepted(report);
      const isAll = options.showExisting === true;
      page.folded('Warnings that base has too', isAll ? [] : repeatedLines(report), MAX_FOLDED_OF_CHANGE);
      const unknowns = foldedUnknowns(report, isAll);
      page.existing(existingLines(report, isAll), unknowns.earlier, isAll);
      page.folded('Deleted', deletionLines(report), MAX_FOLDED_OF_CHANGE);
      page.folded('Fixed by this change', fixedLines(report), MAX_FOLDED_OF_CHANGE);
      page.folded('Fields added by mutating policies', clusterAdditions(report));
      page.folded('Findings removed by mutating policies', mutatedAway(report));
      page.folded('Audit annotations', auditAnnotations(report));
      page.suggestions(report);
      page.comparison(report);
      page.clusters(report);
      page.unknowns(unknowns, report);
      page.idlePolicies(report);
      page.notEvaluated(report);
      if (options.showSkipped) page.skipped(report);
      if (report.unusable === undefined) page.coverage(report);
    }
    page.listed(report);
    page.verdict(report);
    return [page.toString()];
  },
});

type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'cyan' | 'green';

const SGR: Record<Style, string> = { bold: '1', dim: '2', red: '31', yellow: '33', cyan: '36', green: '32' };
const SEVERITY_STYLES: Record<Severity, Style> = { error: 'red', warning: 'yellow', notice: 'cyan' };
const CONCLUSION_STYLES = {
  allowed: 'green',
  denied: 'red',
  undecided: 'yellow',
  'nothing-checked': 'yellow',
} as const;

const FIX_STYLES: Readonly<Record<string, Style>> = { '-': 'red', '+': 'green' };

const MIN_WIDTH = 40;
const INDENT = '  ';
const NOTE_INDENT = '      ';

/** Collects output lines. All colours are added here, and all repository text is sanitized here. */
class Page {
  readonly #lines: string[] = [];
  /** Keys of printed notes. */
  readonly #said = new Set<string>();
  /** The place of the last frame. */
  #framed = '';
  readonly #color: boolean;
  readonly #width: number;

  constructor({ color, width }: ReporterOptions) {
    this.#color = color;
    this.#width = Math.max(width, MIN_WIDTH);
  }

  file({ path, entries, all }: Listing<ListedEntry>['files'][number]): void {
    const rest = all.length - entries.length;
    if (path !== '') this.#lines.push(this.#styled('bold', sanitizeLine(path)), '');
    for (const entry of entries) this.#entry(entry);
    if (rest > 0) this.#lines.push(`${INDENT}${rest} more in this file`, '');
  }

  owner(name: string): void {
    this.#lines.push(this.#styled('bold', `== ${sanitizeLine(name === '' ? 'No owner' : `Owner: ${name}`)} ==`), '');
  }

  ownership(report: Report): void {
    const sentences = ownershipSentences(report);
    if (sentences.length > 0) this.#list('Owners', sentences);
  }

  listed({ listed }: Report): void {
    if (listed !== undefined) addLines(this.#lines, wrapped(listedSentence(listed), this.#width, 0, 0));
  }

  rest(number: number): void {
    if (number > 0)
      this.#lines.push(`${number} more not listed here; the JSON report (\`--format json\`) has them all`, '');
  }

  #entry({ severity, headline, place, fix, notes }: ListedEntry): void {
    const at = place === undefined ? '' : `${place.startLine}:${place.startColumn} `;
    const lead = `${INDENT}${at}${severity}: `;
    const [head = '', ...more] = firstLines(headline);
    const [first = '', ...rest] = wrapped(head, this.#width, lead.length, NOTE_INDENT.length);
    const others = more.flatMap((line) => wrapped(line, this.#width, NOTE_INDENT.length, NOTE_INDENT.length));
    this.#lines.push(`${INDENT}${at}${this.#styled(SEVERITY_STYLES[severity], `${severity}:`)} ${first}`);
    addLines(
      this.#lines,
      [...rest, ...others].map((line) => NOTE_INDENT + line),
    );
    if (place !== undefined) addLines(this.#lines, this.#frame(place, SEVERITY_STYLES[severity]));
    if (fix !== undefined) this.#fix(fix, NOTE_INDENT);
    for (const note of notes.flatMap((each) => this.#unsaid(each))) {
      const parts = wrapped(note, this.#width, NOTE_INDENT.length, NOTE_INDENT.length + 2);
      addLines(
        this.#lines,
        parts.map((part, index) => this.#styled('dim', `${NOTE_INDENT}${index > 0 ? '  ' : ''}${part}`)),
      );
    }
    this.#lines.push('');
  }

  /** What is left to say of the note. */
  #unsaid({ words, once, again = '' }: Note): readonly string[] {
    if (once === undefined || !this.#said.has(once)) {
      if (once !== undefined) this.#said.add(once);
      return [words];
    }
    return again === '' ? [] : [again];
  }

  #fix(fix: LineFix, indent: string): void {
    for (const line of fixLines(fix)) {
      this.#lines.push(this.#styled(FIX_STYLES[line.charAt(0)] ?? 'dim', indent + sanitizeLine(line)));
    }
  }

  /** Empty if the frame of the entry above shows the place. */
  #frame(place: Place, caretStyle: Style): readonly string[] {
    const where = `${place.path}:${place.startLine}:${place.startColumn}`;
    if (place.excerpt === undefined || this.#framed === where) return [];
    this.#framed = where;
    const carets = place.startLine - place.excerpt.firstLine + 1;
    return excerptFrame(place, place.excerpt, this.#width - NOTE_INDENT.length).map((line, index) =>
      index === carets ? this.#styled(caretStyle, NOTE_INDENT + line) : NOTE_INDENT + line,
    );
  }

  /** Lists each annotation; baseline entries are only counted, because the baseline is a list itself. */
  accepted(report: Report): void {
    const excused = acceptedItems(report);
    const known = excused.filter(({ excuse }) => excuse.by === 'baseline');
    if (excused.length === 0) return;
    const uses = excused
      .filter(({ excuse }) => excuse.by !== 'baseline')
      .map(({ excuse, subject, rule, status }) => {
        const what = `${subject}: ${rule} ${acceptance(excuse)}`;
        const isNew = status === 'new' ? 'new, ' : '';
        return `${what} (${isNew}${excuse.place.path}:${excuse.place.startLine})`;
      });
    const inBaseline = known.length === 0 ? [] : [`${known.length} in the baseline`];
    this.#list('Accepted', [...withRest(uses), ...inBaseline]);
  }

  /** Only clusters that no configuration describes. */
  clusters(report: Report): void {
    const derived = derivedClusters(report);
    if (derived.length > 0) this.#list('Clusters, derived from the repository', withRest(derived));
  }

  unknowns({ sentences }: FoldedUnknowns, { comparison }: Report): void {
    const most = comparison === undefined ? MAX_FOLDED : MAX_UNKNOWNS_OF_CHANGE;
    if (sentences.length > 0) this.#list('Unknowns', withRest(sentences, most));
  }

  /** What base has too: findings that the verdict does not count, and unknowns. */
  existing(lines: readonly string[], unknowns: number, isListed: boolean): void {
    if (isListed) this.folded('Findings that base has too', lines);
    else if (lines.length + unknowns > 0) {
      const parts = [
        ...(lines.length > 0 ? [`${count(lines.length, 'existing finding')} not counted`] : []),
        ...(unknowns > 0 ? [count(unknowns, 'existing unknown')] : []),
      ];
      this.#lines.push(`${parts.join(', ')}; \`--show-existing\` lists them`, '');
    }
  }

  history(report: Report): void {
    const { sentences, lists } = historyLines(report);
    if (sentences.length > 0) this.#list('History', sentences);
    for (const { title, lines } of lists) this.folded(title, lines, MAX_FOLDED_OF_HISTORY);
  }

  /** One line each; the JSON report contains all. */
  folded(title: string, lines: readonly string[], most = MAX_FOLDED): void {
    if (lines.length === 0) return;
    this.#list(`${title} (${lines.length})`, withRest(lines, most));
  }

  /** Printed as diffs, because a terminal offers no buttons. */
  suggestions({ suggestions = [] }: Report): void {
    if (suggestions.length === 0) return;
    this.#lines.push(this.#styled('bold', `Suggested edits (${suggestions.length})`));
    for (const suggestion of suggestions.slice(0, MAX_FOLDED)) {
      const { path, line } = suggestion.fix;
      const [first = '', ...rest] = wrapped(`${path}:${line} ${suggestionWords(suggestion)}`, this.#width, 4, 4);
      addLines(this.#lines, [`${INDENT}- ${first}`, ...rest.map((words) => `${INDENT}  ${words}`)]);
      this.#fix(suggestion.fix, NOTE_INDENT);
    }
    this.#lines.push('');
  }

  comparison({ comparison, notCompared }: Report): void {
    if (notCompared !== undefined) this.#list('The whole repository was checked, not the change', [notCompared]);
    if (comparison === undefined) return;
    const { base, head } = comparison;
    this.#list('Comparison', [
      `${shortId(base)} with ${shortId(head)}: ${changeHeadline(comparison)}`,
      verdictBy(comparison),
      ...comparison.notices,
    ]);
  }

  upgrades({ audit }: Report): void {
    const upgrades = audit?.upgrades;
    if (upgrades === undefined) return;
    const { actions } = upgrades;
    const lines = actions.length === 0 ? ['no difference was found in the known releases'] : actions.map(actionLine);
    this.#list('Before the next upgrades', [...releaseLines(upgrades), ...withRest(lines)]);
  }

  repositories({ repositories }: Report): void {
    if (repositories === undefined) return;
    this.#list(`Repositories (${repositories.length})`, withRest(worstFirst(repositories).map(repositoryLine)));
  }

  whatIf({ audit }: Report): void {
    const whatIf = audit?.whatIf;
    if (whatIf === undefined) return;
    this.#list('Candidate policies', whatIfLines(whatIf));
    if (whatIf.blastRadius !== undefined) this.#radius('With the candidate policies', whatIf.blastRadius);
  }

  blastRadius({ blastRadius }: Report): void {
    if (blastRadius !== undefined) this.#radius('Blast radius once this is merged', blastRadius);
  }

  #radius(title: string, blastRadius: BlastRadius): void {
    const causes = blastRadius.causes.map(
      ({ resource, change, path }) => `${resourceLabel(resource)} ${change} (${path})`,
    );
    const entries = blastRadius.entries.map((entry) => {
      const { primary, resource, before, after, policies, message, fields } = entry;
      const why = message === undefined ? '' : `: ${firstLines(message)[0]}`;
      const stored = fields === undefined ? '' : `; stored differently: ${storedWords(fields)}`;
      const isStored = before === after && message === undefined && fields !== undefined;
      const causes = causeWords(entry);
      const answer = isStored ? after : verdictChange(entry);
      const what = `${primary.path}:${primary.startLine} ${resourceLabel(resource)}: ${answer}`;
      if (isStored) return `${what}${stored} by ${someOf(policies)}`;
      return `${what}${policies.length === 0 ? '' : `${causes === '' ? ' by' : `, ${causes}`} ${someOf(policies)}`}${why}${stored}`;
    });
    this.#list('Changed rules', withRest(causes));
    this.#list(`${title}: ${blastRadiusHeadline(blastRadius)}`, withRest(entries));
  }

  #list(title: string, sentences: readonly string[]): void {
    this.#lines.push(this.#styled('bold', title));
    for (const sentence of sentences) {
      const [first = '', ...rest] = wrapped(sentence, this.#width, 4, 4);
      addLines(this.#lines, [`${INDENT}- ${first}`, ...rest.map((line) => `${INDENT}  ${line}`)]);
    }
    this.#lines.push('');
  }

  /** In a comparison, one line of the coverage says it. */
  notEvaluated({ comparison, coverage: { notEvaluated } }: Report): void {
    if (notEvaluated.length === 0 || comparison !== undefined) return;
    const width = notEvaluated.reduce((widest, { reason }) => Math.max(widest, sanitizeLine(reason).length), 0);
    this.#lines.push(this.#styled('bold', 'Not evaluated'));
    for (const { reason, meaning, count: number } of notEvaluated) {
      const words = `${sanitizeLine(reason).padEnd(width)}  ${sanitizeLine(meaning)}`;
      this.#lines.push(`${String(number).padStart(6)}  ${words}`);
    }
    this.#lines.push('');
  }

  idlePolicies(report: Report): void {
    const sentences = idlePolicies(report);
    if (sentences.length > 0) this.#list('Policies that matched nothing', withRest(sentences));
  }

  skipped({ coverage: { skipped } }: Report): void {
    for (const { path, line, reason, detail } of skipped) {
      const where = line === undefined ? path : `${path}:${line}`;
      this.#lines.push(`${INDENT}${sanitizeLine(`${where} ${reason}${detail === undefined ? '' : `: ${detail}`}`)}`);
    }
    if (skipped.length > 0) this.#lines.push('');
  }

  coverage(report: Report): void {
    const { files, found, evaluated, notEvaluated } = report.coverage;
    const words = `${count(files, 'file')}, ${count(found, 'document')} found, ${evaluated} evaluated`;
    const reasons = notEvaluated.map(({ reason, count: number }) => `${number} ${reason}`);
    const why = report.comparison === undefined || reasons.length === 0 ? '' : ` (${reasons.join(', ')})`;
    addLines(this.#lines, wrapped(`${words}, ${found - evaluated} not evaluated${why}`, this.#width, 0, 0));
    for (const extent of [
      sourcesExtent(report),
      fetchedExtent(report),
      validationExtent(report),
      settingsExtent(report),
    ]) {
      if (extent !== '') this.#lines.push(sanitizeLine(extent));
    }
  }

  verdict(report: Report): void {
    const { conclusion } = report.verdict;
    const style = conclusion === 'allowed' && isBadNews(report) ? 'yellow' : CONCLUSION_STYLES[conclusion];
    this.#lines.push(this.#styled(style, sanitizeLine(verdictHeadline(report))));
  }

  toString(): string {
    return `${this.#lines.join('\n')}\n`;
  }

  #styled(style: Style, words: string): string {
    return this.#color ? `\u001b[${SGR[style]}m${words}\u001b[0m` : words;
  }
}

const MAX_FOLDED = 100;
/** A change is read in one go. */
const MAX_FOLDED_OF_CHANGE = 10;
const MAX_UNKNOWNS_OF_CHANGE = 5;
/** The page and the JSON report have the rest. */
const MAX_FOLDED_OF_HISTORY = 15;

function withRest(lines: readonly string[], most = MAX_FOLDED): readonly string[] {
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most), `${lines.length - most} more`];
}

/**
 * Sanitizes and wraps at spaces; `first` columns of the first line and `other` of the rest are taken. A word longer than a line stays
 * whole. Every line is sanitized again, because wrapping can move text to the start of a line.
 */
function wrapped(words: string, width: number, first: number, other: number): string[] {
  const lines: string[] = [];
  let line = '';
  let room = width - first;
  for (const word of sanitizeLine(words).split(/(?<=[^ ]) /)) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = '';
      room = width - other;
    }
    line += line === '' ? word : ` ${word}`;
  }
  return [...lines, line].map(sanitizeLine);
}

/** One at a time: `push(...more)` would exceed the argument limit. */
function addLines(lines: string[], more: Iterable<string>): void {
  for (const line of more) lines.push(line);
}
