// Collapsed coverage section: what was checked and what was not, without zero counts.

import { concernedTargets } from '../../folded/concerned-targets.ts';
import type { Comparison, PolicySummary, Report } from '../../report.ts';
import { unknownSentences } from '../../wording/unknown-wording.ts';
import {
  count,
  derivedTargets,
  fetchedExtent,
  settingsExtent,
  shortId,
  sourcesExtent,
  validationExtent,
  verdictBy,
} from '../../wording/wording.ts';
import { someOf } from '../text/listing.ts';
import type { Block } from './fit-block.ts';
import type { MarkdownOptions } from './options.ts';
import { htmlText, message, name, prose, sentence } from './words.ts';

/** May be truncated to fit the page. */
export function coverageSection(report: Report, options: MarkdownOptions): Block {
  return {
    head: `<details><summary>${htmlText(`Checked: ${summary(report, options)}`)}</summary>\n\n`,
    items: [
      extents(report),
      policyTable(report),
      clusters(report),
      notEvaluated(report),
      ...(options.showSkipped === true ? [skipped(report)] : []),
    ].filter((item) => (typeof item === 'string' ? item !== '' : item.items.length > 0)),
    foot: '</details>\n\n',
    more: (rest) => `\n${count(rest, 'more line')}\n\n`,
  };
}

/** A section of its own next to coverage, so that readers see the limits of the verdict. */
export function unknowns(report: Report): Block {
  const sentences = unknownSentences({ ...report, targets: concernedTargets(report) });
  return {
    // Open by default if unknowns left objects unjudged, because the title mentions those.
    head: `<details${report.verdict.open > 0 ? ' open' : ''}><summary>Unknowns (${sentences.length})</summary>\n\n`,
    items: sentences.map((words) => `- ${prose(words)}\n`),
    foot: '\n</details>\n\n',
    more: (rest) => `- ${rest} more\n`,
  };
}

/** `1 object updated, 2 of 4 policies apply, rules of main at d8eeaa1971`. */
function summary(report: Report, { baseName }: MarkdownOptions): string {
  const { comparison, coverage } = report;
  const policies = report.targets.flatMap((target) => target.policies);
  const total = distinct(policies);
  const applying = distinct(policies.filter(({ matched }) => matched > 0));
  const left = coverage.found - coverage.evaluated;
  return [
    comparison === undefined ? evaluatedObjects(report) : changedObjects(comparison),
    ...(total === 0
      ? []
      : [`${applying} of ${count(total, 'policy', 'policies')} ${total === 1 ? 'applies' : 'apply'}`]),
    ...(left > 0 ? [`${count(left, 'document')} not evaluated`] : []),
    ...(comparison === undefined ? [] : [rulesOf(comparison, baseName)]),
  ].join(', ');
}

/** Counts a policy once, however many clusters have it. */
function distinct(policies: readonly PolicySummary[]): number {
  return new Set(policies.map(({ kind, name: own }) => `${kind}\0${own}`)).size;
}

function evaluatedObjects({ coverage: { evaluated } }: Report): string {
  return evaluated === 0 ? 'no object' : count(evaluated, 'object');
}

function changedObjects({ objects: { created, updated, deleted } }: Comparison): string {
  const words = [
    [created, 'created'],
    [updated, 'updated'],
    [deleted, 'deleted'],
  ] as const;
  const told = words.filter(([number]) => number > 0);
  if (told.length === 0) return 'no object changed';
  return told.map(([number, word], index) => `${index === 0 ? count(number, 'object') : number} ${word}`).join(', ');
}

function rulesOf({ policiesFrom, base }: Comparison, baseName: string | undefined): string {
  if (policiesFrom === 'both') return 'rules before and after the change';
  if (policiesFrom === 'head') return 'rules of the change';
  return `rules of ${baseName === undefined ? '' : `${baseName} at `}${shortId(base)}`;
}

function extents(report: Report): string {
  const { coverage, comparison, unusable } = report;
  if (unusable !== undefined) return '';
  const { files, found, evaluated } = coverage;
  const numbers = [
    ...(files > 0 ? [count(files, 'file')] : []),
    ...(found > 0 ? [`${count(found, 'document')} found`] : []),
    ...(evaluated > 0 ? [`${evaluated} evaluated`] : []),
    ...(found > evaluated ? [`${found - evaluated} not evaluated`] : []),
  ];
  const sentences = [
    numbers.join(', '),
    ...(comparison === undefined ? [] : [changeWords(comparison), verdictBy(comparison)]),
    sourcesExtent(report),
    fetchedExtent(report),
    validationExtent(report),
    settingsExtent(report),
  ].filter((words) => words !== '');
  return `${sentences.map((words) => `- ${prose(sentence(words))}\n`).join('')}\n`;
}

function changeWords({ changedFiles, objects, scope }: Comparison): string {
  const told = (['created', 'updated', 'deleted', 'unchanged'] as const).filter((what) => objects[what] > 0);
  const where = scope === 'repository' ? 'in the whole repository' : 'in these files';
  const words = told.length === 0 ? 'none' : told.map((what) => `${objects[what]} ${what}`).join(', ');
  return `${count(changedFiles.length, 'file')} changed; objects ${where}: ${words}`;
}

function policyTable(report: Report): Block {
  const several = report.targets.length > 1;
  const all = report.targets.flatMap((target) => target.policies.map((policy) => ({ policy, target: target.name })));
  const withFindings = all.filter(({ policy }) => loudness(policy) < 3);
  const idle = all.filter(({ policy }) => loudness(policy) === 3 && policy.matched === 0);
  const silent = all.length - withFindings.length - idle.length;
  const rest = [
    ...(silent > 0 ? [`${count(silent, 'policy', 'policies')} without a finding`] : []),
    ...(idle.length > 0
      ? [`${idle.length} matched nothing: ${someOf(idle.map(({ policy }) => name(policy.name)))}`]
      : []),
  ].join('; ');
  const rows = withFindings
    .sort((left, right) => loudness(left.policy) - loudness(right.policy))
    .map(({ policy, target }) => policyRow(policy, several ? target : undefined));
  const last = rest === '' ? '' : `${sentence(rest)}.\n\n`;
  if (rows.length === 0) return { head: '', items: last === '' ? [] : [last], foot: '', more: () => '' };
  return {
    head: `| policy | findings${report.verdict.only === 'new' ? ', existing ones too' : ''} |\n|---|---|\n`,
    items: rows,
    foot: `\n${last}`,
    more: () => '',
  };
}

function loudness({ denied, warned, audited }: PolicySummary): number {
  return denied > 0 ? 0 : warned > 0 ? 1 : audited > 0 ? 2 : 3;
}

/** Sentences instead of a column per number, which a phone would cut off. */
function policyRow(policy: PolicySummary, target: string | undefined): string {
  const where = target === undefined ? '' : `<br>on ${name(target)}`;
  const said = (['denied', 'warned', 'audited'] as const)
    .filter((action) => policy[action] > 0)
    .map((action) => `${policy[action]} ${action}`);
  const requests = policy.matched === 0 ? '' : ` in ${count(policy.matched, 'request')}`;
  return `| ${name(policy.name)}${where} | ${said.join(', ')}${requests} |\n`;
}

function clusters(report: Report): Block {
  return {
    head: 'Clusters, derived from the repository:\n\n',
    items: derivedTargets(concernedTargets(report)).map((words) => `- ${prose(words)}\n`),
    foot: '\n',
    more: () => '',
  };
}

function notEvaluated({ coverage: { notEvaluated: reasons } }: Report): Block {
  return {
    head: '| not evaluated | reason | |\n|--:|---|---|\n',
    items: reasons.map(({ reason, meaning, count: number }) => `| ${number} | ${name(reason)} | ${prose(meaning)} |\n`),
    foot: '\n',
    more: () => '',
  };
}

function skipped(report: Report): Block {
  return {
    head: '<details><summary>Each document not evaluated</summary>\n\n',
    items: report.coverage.skipped.map(({ path, line: at, reason, detail }) => {
      const where = at === undefined ? name(path) : `${name(path)} line ${at}`;
      return `- ${where}: ${name(reason)}${detail === undefined ? '' : `, ${message(detail)}`}\n`;
    }),
    foot: '\n</details>\n\n',
    more: () => '',
  };
}
