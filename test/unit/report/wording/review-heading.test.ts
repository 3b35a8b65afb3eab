// Review headings: objects are counted, and an object is only called admitted if the server admits it.
import { expect, test } from 'vitest';
import { renderMarkdown } from '../../../../src/report/format/markdown/markdown.ts';
import type { BlastRadius, Comparison, Finding, Report } from '../../../../src/report/report.ts';
import { reviewHeading } from '../../../../src/report/wording/review-heading.ts';
import { cleanReport, emptyReport, richReport } from '../../../report/rich-report.ts';

const comparison: Comparison = {
  base: 'a'.repeat(40),
  head: 'b'.repeat(40),
  policiesFrom: 'base',
  scope: 'changes',
  changedFiles: ['a.yaml'],
  objects: { created: 0, updated: 1, deleted: 0, unchanged: 0 },
  fixed: [],
  notices: [],
};
const blastRadius: BlastRadius = { causes: [], denied: 0, allowed: 0, warned: 0, stricter: 0, worse: 0, entries: [] };
const [finding] = richReport.findings as [Finding, ...Finding[]];

/** Report of a change with these numbers. */
function change(numbers: Partial<Report['verdict']>, more: Partial<Report> = {}): Report {
  return { ...cleanReport, comparison, ...more, verdict: { ...cleanReport.verdict, only: 'new', ...numbers } };
}

function repository(numbers: Partial<Report['verdict']>, more: Partial<Report> = {}): Report {
  return { ...cleanReport, ...more, verdict: { ...cleanReport.verdict, ...numbers } };
}

const evaluated = (number: number): Partial<Report> => ({ coverage: { ...cleanReport.coverage, evaluated: number } });

test.each<readonly [string, Report]>([
  ['1 object of this change would be denied', change({ conclusion: 'denied', denied: 1 })],
  ['2 objects of this change would be denied, 1 warned about', change({ conclusion: 'denied', denied: 2, warned: 1 })],
  ['3 of 4 objects would be denied', repository({ conclusion: 'denied', denied: 3 })],
  ['4 objects would be denied', repository({ conclusion: 'denied', denied: 4 })],
  ['2 objects of this change would be admitted with a warning', change({ warned: 2 })],
  ['1 of 4 objects would be audited', repository({ audited: 1 })],
  ['1 of 4 objects would be admitted with a warning (fail-on warn)', repository({ warned: 1, failOn: 'warn' })],
  ['2 errors in policies, configuration or manifests', change({ conclusion: 'denied', errors: 2 })],
  ['1 of 4 objects would be denied, 1 error', repository({ conclusion: 'denied', denied: 1, errors: 1 })],
  ['all 4 objects of this change would be admitted', change({})],
  ['all 4 objects would be admitted', cleanReport],
  ['the object would be admitted', repository({}, evaluated(1))],
  ['no object is changed', change({}, evaluated(0))],
  ['nothing was checked (no policies, no resources)', emptyReport],
  ['nothing was checked, as `.preadmit.yaml` cannot be used', { ...emptyReport, unusable: '.preadmit.yaml' }],
  [
    'nothing new to report, 1 existing finding not counted',
    change({}, { findings: [{ ...finding, status: 'existing' }] }),
  ],
  [
    'nothing to report, 2 accepted',
    repository({}, { findings: richReport.findings.filter(({ excuse }) => excuse !== undefined) }),
  ],
  ['undecided: 1 object of this change', change({ conclusion: 'undecided', undecided: 1 })],
  ['undecided: 1 object', repository({ conclusion: 'undecided', undecided: 1 })],
  ['undecided: 2 objects not judged by every policy', repository({ conclusion: 'undecided', open: 2 })],
  [
    '1 object of this change would be denied, 1 undecided, 2 not judged by every policy',
    change({ conclusion: 'denied', denied: 1, undecided: 1, open: 2 }),
  ],
  [
    '2 objects become denied once this is merged',
    change({}, { blastRadius: { ...blastRadius, denied: 2, warned: 1, worse: 3 } }),
  ],
  ['1 object gets new findings once this is merged', change({}, { blastRadius: { ...blastRadius, worse: 1 } })],
  ['undecided: 3 roots could not be rendered', change({ conclusion: 'undecided', notRendered: 3 })],
  [
    '1 of 4 objects would be denied, 7 findings more than a report lists',
    repository({ conclusion: 'denied', denied: 1 }, { unlisted: { error: 5, warning: 2, notice: 0 } }),
  ],
])('%s', (heading, report) => {
  expect(reviewHeading(report)).toBe(heading);
});

test.each([
  ['✅', change({})],
  ['⚠️', change({ conclusion: 'undecided', undecided: 1 })],
  ['⚠️', change({}, { blastRadius: { ...blastRadius, denied: 2, worse: 2 } })],
  ['⚠️', emptyReport],
  ['❌', change({ conclusion: 'denied', denied: 1, undecided: 1 })],
] as const)('%s before it', (mark, report) => {
  expect(renderMarkdown(report, { maxBytes: 10_000 }).startsWith(`## ${mark} `)).toBe(true);
});
