// Which entries without a judgement fail a run.
import { expect, test } from 'vitest';
import { failsUndecided, severityIn } from '../../../../src/report/gate/undecided.ts';
import type { Excuse, Finding, ReportedDiagnostic } from '../../../../src/report/report.ts';
import { cleanReport, richReport } from '../../../report/rich-report.ts';

const root: ReportedDiagnostic = { code: 'not-rendered', severity: 'warning', message: 'a chart', related: [] };
const place = { path: 'baseline.yaml', startLine: 1, startColumn: 1, endLine: 1, endColumn: 1 };
const excuse: Excuse = { by: 'baseline', reason: 'known', place };
const { verdict } = cleanReport;
const compared = { ...verdict, only: 'new', touched: 'count' } as const;

const [{ excuse: _, ...finding }] = richReport.findings as [Finding, ...Finding[]];
const unknown: Finding = { ...finding, result: 'unknown', severity: 'warning', actions: ['Deny'] };

test.each([
  ['an undecided rule that denies', unknown, verdict, true],
  ['an undecided rule that only audits', { ...unknown, actions: ['Audit'] }, verdict, false],
  [
    'an old undecided rule of an object that the change leaves alone',
    { ...unknown, status: 'existing', operation: 'CREATE' },
    compared,
    false,
  ],
  [
    'an old undecided rule of an updated object, where old findings are forgiven',
    { ...unknown, status: 'existing', operation: 'UPDATE' },
    { ...compared, touched: 'forgive' },
    true,
  ],
  ['a root of the repository', root, verdict, true],
  ['a root that the change touches', { ...root, status: 'new' }, compared, true],
  ['a root that base did not render either', { ...root, status: 'existing' }, compared, false],
  ['an accepted root', { ...root, excuse }, verdict, false],
  ['a root, where undecided only warns', root, { ...verdict, onUndecided: 'warn' }, false],
  ['a root, where nothing fails', root, { ...verdict, failOn: 'never' }, false],
  ['another diagnostic', { ...root, code: 'unbound-policy' }, verdict, false],
] as const)('%s', (_, entry, of, fails) => {
  expect(failsUndecided(entry, of)).toBe(fails);
  expect(severityIn(entry, { verdict: of })).toBe(fails ? 'error' : 'warning');
});
