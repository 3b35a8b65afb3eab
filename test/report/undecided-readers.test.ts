// What other programs read in the formats of a run that could not judge everything. No entry without a judgement reads as passed.
import { parse, type TestSuites } from 'junit2json';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { reporters } from '../../src/report/format/reporters.ts';
import type { OnUndecided } from '../../src/report/report.ts';
import { undecidedReport } from './undecided-report.ts';

const MODES: readonly OnUndecided[] = ['fail', 'warn'];
const REPORTS = new Map(MODES.map((mode) => [mode, undecidedReport(mode)]));

function render(format: string, mode: OnUndecided): string {
  const [reporter, report] = [reporters.get(format), REPORTS.get(mode)];
  if (reporter === undefined || report === undefined) throw new Error(`no format ${format}`);
  return reporter.render(report, { color: false, width: 100, showSkipped: true, quiet: false });
}

test('the run leaves a rule, objects, a root and a file unjudged, and accepts a root', () => {
  const { conclusion, undecided, open, notRendered, unread } = undecidedReport('fail').verdict;
  expect([conclusion, undecided, open, notRendered, unread]).toEqual(['undecided', 1, 2, 1, 1]);
});

describe.each(MODES)('on-undecided: %s', (mode) => {
  const fails = mode === 'fail';

  test('a JUnit reader', async () => {
    const whole = (await parse(render('junit', mode))) as TestSuites;
    const suites = whole.testsuite ?? [];
    const told = suites.flatMap(({ name = '', testcase = [] }) =>
      testcase.map(({ classname, error, failure, skipped }) => [
        `${name}: ${classname}`,
        failure ? 'failure' : error ? 'error' : skipped ? 'skipped' : 'passed',
      ]),
    );
    const counted = fails ? 'error' : 'skipped';
    expect(told).toEqual([
      ['preadmit: preadmit', 'passed'],
      ['preadmit: undecided-object', counted],
      ['preadmit: not-rendered', 'skipped'],
      ['preadmit: unread-document', counted],
      ['preadmit: not-rendered', counted],
      ['default/by-param: by-param', 'skipped'],
      ['default/size-limit: size-limit', counted],
    ]);
    expect([whole.tests, whole.failures, whole.errors]).toEqual([7, 0, fails ? 4 : 0]);
    expect(suites.map(({ tests, errors, skipped = 0 }) => [tests, errors, skipped])).toEqual(
      fails
        ? [
            [5, 3, 1],
            [1, 0, 1],
            [1, 1, 0],
          ]
        : [
            [5, 0, 4],
            [1, 0, 1],
            [1, 0, 1],
          ],
    );
    const accepted = suites[0]?.testcase?.[2]?.skipped?.[0]?.message;
    expect(accepted).toBe('accepted until 2027-01-01 by platform: the chart is in a private registry');
  });

  test.each(['openreports', 'policyreport'])('a reader of %s', (format) => {
    const documents = parseAllDocuments(render(format, mode)).map((document) => document.toJS());
    const results = documents.flatMap(({ results: list }) => list);
    const told = results.map(({ policy, rule = '', result }) => `${policy} ${rule}: ${result}`);
    const counted = fails ? 'error' : 'skip';
    expect(told).toEqual([
      'by-param : skip',
      'size-limit : skip',
      'preadmit not-rendered: skip',
      `preadmit unread-document: ${counted}`,
      `preadmit not-rendered: ${counted}`,
      `size-limit validations[0]: ${counted}`,
      `by-param undecided-object: ${counted}`,
    ]);
    expect(documents.map(({ summary }) => summary.pass)).toEqual([0, 0]);
  });

  test('a reader of SARIF', () => {
    const [run] = JSON.parse(render('sarif', mode)).runs;
    const { results, invocations } = run;
    expect(results.map((each: Result) => [each.ruleId, each.kind, each.level])).toEqual([
      ['size-limit/validations-ffc456c2', 'open', 'warning'],
      ['undecided-object', 'open', 'warning'],
      ['unread-document', 'open', 'warning'],
      ['not-rendered', 'open', 'warning'],
    ]);
    const { executionSuccessful, toolExecutionNotifications: told } = invocations[0];
    expect(executionSuccessful).toBe(!fails);
    expect(told.map((each: Notification) => each.descriptor.id)).toEqual([
      'undecided-object',
      'unread-document',
      'not-rendered',
    ]);
  });

  test('readers of GitLab Code Quality and rdjson', () => {
    const issues = JSON.parse(render('gitlab', mode));
    const { diagnostics } = JSON.parse(render('rdjson', mode));
    const at = (severity: string): readonly unknown[] => [
      ['apps/encrypted.yaml', severity],
      ['apps/encrypted.yaml', severity],
      ['apps/large.yaml', severity],
      ['apps/shop.yaml', severity],
    ];
    const placed = (list: readonly Issue[]) => list.map(({ location, severity }) => [location.path, severity]);
    expect(placed(issues)).toEqual(at(fails ? 'critical' : 'minor'));
    expect(placed(diagnostics)).toEqual(at(fails ? 'ERROR' : 'WARNING'));
  });
});

interface Result {
  readonly ruleId: string;
  readonly kind: string;
  readonly level: string;
}

interface Issue {
  readonly severity: string;
  readonly location: { readonly path: string };
}

interface Notification {
  readonly descriptor: { readonly id: string };
}
