// Verdict headline for reviewers: how many objects would be denied, warned about or audited.

import { unlistedTotal } from '../finding/finding-limits.ts';
import { isCounted } from '../gate/counted.ts';
import type { Report } from '../report.ts';
import { count, isBadNews, missingPart, unmatched, withoutVerdict } from './wording.ts';

/**
 * `2 of 17 objects would be denied, 1 error`; lower case, with identifiers in backquotes. Never adds counts of objects to counts of
 * findings.
 */
export function reviewHeading(report: Report): string {
  if (report.unusable !== undefined) return `nothing was checked, as \`${report.unusable}\` cannot be used`;
  if (report.verdict.conclusion === 'nothing-checked') return `nothing was checked (${missingPart(report)})`;
  const { failOn, errors } = report.verdict;
  const objects = objectWords(report);
  const parts = [
    ...objects,
    ...(errors > 0
      ? [`${count(errors, 'error')}${objects.length === 0 ? ' in policies, configuration or manifests' : ''}`]
      : []),
    ...missingWords(report, objects.length > 0),
    ...badNewsWords(report),
  ];
  const more = report.unlisted === undefined ? 0 : unlistedTotal(report.unlisted);
  if (more > 0) parts.push(`${count(more, 'finding')} more than a report lists`);
  const gate = failOn === 'deny' ? '' : ` (fail-on ${failOn})`;
  const lead = report.verdict.conclusion === 'undecided' ? 'undecided: ' : '';
  return `${lead}${parts.length === 0 ? admittedWords(report) : parts.join(', ')}${gate}`;
}

/** Whether the heading is about a change or about the whole repository. */
function extent({ comparison, verdict }: Report): 'change' | 'repository' {
  return comparison !== undefined && verdict.only === 'new' ? 'change' : 'repository';
}

function objectWords(report: Report): string[] {
  const { denied, warned, audited } = report.verdict;
  const { evaluated } = report.coverage;
  const tallies = [
    { number: denied, first: 'would be denied', next: 'denied' },
    { number: warned, first: 'would be admitted with a warning', next: 'warned about' },
    { number: audited, first: 'would be audited', next: 'audited' },
  ].filter(({ number }) => number > 0);
  return tallies.map(({ number, first, next }, index) => {
    if (index > 0) return `${number} ${next}`;
    if (extent(report) === 'change') return `${count(number, 'object')} of this change ${first}`;
    const isPart = report.comparison === undefined && evaluated > number;
    return `${isPart ? `${number} of ${count(evaluated, 'object')}` : count(number, 'object')} ${first}`;
  });
}

/** `isNext`: whether object counts precede it. */
function missingWords(report: Report, isNext: boolean): string[] {
  const { conclusion, undecided, open, notRendered, incomplete, unread } = report.verdict;
  const of = extent(report) === 'change' ? ' of this change' : '';
  const objects = [
    ...(undecided > 0 ? [{ number: undecided, words: conclusion === 'undecided' && !isNext ? '' : ' undecided' }] : []),
    ...(open > 0 ? [{ number: open, words: ' not judged by every policy' }] : []),
  ];
  return [
    ...objects.map(({ number, words }, index) =>
      isNext || index > 0 ? `${number}${words}` : `${count(number, 'object')}${of}${words}`,
    ),
    ...(notRendered > 0 ? [`${count(notRendered, 'root')} could not be rendered`] : []),
    ...(incomplete > 0 ? [`${count(incomplete, 'root')} ${incomplete === 1 ? 'is' : 'are'} incomplete`] : []),
    ...(unread > 0 ? [`${count(unread, 'file or document', 'files or documents')} could not be read`] : []),
    ...withoutVerdict(report.repositories),
  ];
}

function badNewsWords(report: Report): string[] {
  const { blastRadius } = report;
  if (blastRadius === undefined || !isBadNews(report)) return [];
  const { denied, warned, worse, open = 0 } = blastRadius;
  const [number, one, several] =
    denied > 0
      ? ([denied, 'becomes denied', 'become denied'] as const)
      : warned > 0
        ? ([warned, 'becomes warned about', 'become warned about'] as const)
        : open > 0
          ? ([open, 'becomes undecided', 'become undecided'] as const)
          : ([worse, 'gets new findings', 'get new findings'] as const);
  return [`${count(number, 'object')} ${number === 1 ? one : several} once this is merged`];
}

/** An object with an uncounted finding is still denied by the server, so the heading does not call it admitted. */
function admittedWords(report: Report): string {
  const { findings, diagnostics, coverage, comparison, verdict } = report;
  const excused = [...findings, ...diagnostics].filter(({ excuse }) => excuse !== undefined).length;
  const existing = findings.filter((each) => !isCounted(each, verdict) && each.excuse === undefined).length;
  const aside = [
    ...(existing > 0 ? [`${count(existing, 'existing finding')} not counted`] : []),
    ...(excused > 0 ? [`${excused} accepted`] : []),
  ];
  const of = extent(report) === 'change' ? ' of this change' : '';
  const { evaluated } = coverage;
  if (aside.length > 0) return `nothing ${of === '' ? '' : 'new '}to report, ${aside.join(', ')}`;
  if (comparison !== undefined && evaluated === 0) return 'no object is changed';
  const unmet = unmatched(report);
  if (unmet !== '') return `nothing to report for ${count(evaluated, 'object')}${unmet}`;
  return evaluated === 1 ? `the object${of} would be admitted` : `all ${evaluated} objects${of} would be admitted`;
}
