// The conclusion for findings and for missing evidence.
import { expect, test } from 'vitest';
import { EXIT, exitCodeOf } from '../../../../src/door/run/exit-code.ts';
import type { Finding, ReportedDiagnostic } from '../../../../src/report/report.ts';
import { decideVerdict, type VerdictInput } from '../../../../src/report/tally/verdict.ts';
import { richReport } from '../../../report/rich-report.ts';

const [{ excuse: _, ...written }] = richReport.findings as [Finding, ...Finding[]];
const failing: Finding = { ...written, result: 'fail', actions: ['Deny'] };
const undecided: Finding = { ...failing, result: 'unknown' };
const audited: Finding = { ...undecided, actions: ['Audit'] };
const unrendered: ReportedDiagnostic = {
  code: 'not-rendered',
  severity: 'warning',
  message: 'a chart is elsewhere',
  related: [],
  count: 3,
};
const open: ReportedDiagnostic = {
  code: 'undecided-object',
  severity: 'warning',
  message: 'a param is not in the repository',
  resource: failing.resource,
  related: [],
};
const unread: ReportedDiagnostic = {
  code: 'unread-document',
  severity: 'warning',
  message: 'a file is too large',
  related: [],
};
const nothing: VerdictInput = { findings: [], diagnostics: [], failOn: 'deny', onUndecided: 'fail', checked: 1 };

test.each<readonly [string, Partial<VerdictInput>, string]>([
  ['nothing is wrong', {}, 'allowed'],
  ['a rule that denies is undecided', { findings: [undecided] }, 'undecided'],
  ['a rule that only audits is undecided', { findings: [audited] }, 'allowed'],
  ['a rule that audits is undecided, and audits count', { findings: [audited], failOn: 'audit' }, 'undecided'],
  ['a policy that denies was not asked', { diagnostics: [open] }, 'undecided'],
  ['a root is not rendered', { diagnostics: [unrendered] }, 'undecided'],
  ['a file is too large to be read', { diagnostics: [unread] }, 'undecided'],
  ['something is denied besides', { findings: [failing, undecided], diagnostics: [open, unrendered] }, 'denied'],
  ['no policy could be met', { checked: 0, diagnostics: [unrendered] }, 'nothing-checked'],
  ['nothing is to fail', { findings: [undecided], diagnostics: [open, unrendered], failOn: 'never' }, 'allowed'],
  [
    'what base does not render either is left alone',
    { diagnostics: [{ ...unrendered, status: 'existing' }], only: 'new' },
    'allowed',
  ],
  [
    'an object that is left alone was undecided before',
    { findings: [{ ...undecided, status: 'existing', operation: 'CREATE' }], only: 'new' },
    'allowed',
  ],
  [
    'an object that is changed was undecided before',
    { findings: [{ ...undecided, status: 'existing', operation: 'UPDATE' }], only: 'new' },
    'undecided',
  ],
])('%s', (_, input, conclusion) => {
  expect(decideVerdict({ ...nothing, ...input }).conclusion).toBe(conclusion);
});

test('each number counts what it is named after', () => {
  const verdict = decideVerdict({
    ...nothing,
    findings: [undecided, audited],
    diagnostics: [open, open, unrendered, unread],
  });
  expect(verdict).toMatchObject({ denied: 0, audited: 0, undecided: 1, open: 1, notRendered: 3, unread: 1 });
});

test.each([
  ['allowed', EXIT.allowed],
  ['denied', EXIT.denied],
  ['undecided', EXIT.undecided],
  ['nothing-checked', EXIT.nothingChecked],
] as const)('the exit status of %s', (conclusion, status) => {
  const verdict = { ...decideVerdict(nothing), conclusion };
  expect(exitCodeOf({ verdict })).toBe(status);
  const tolerated = conclusion === 'denied' ? EXIT.denied : EXIT.allowed;
  const lenient = { ...verdict, onUndecided: 'warn' } as const;
  expect(exitCodeOf({ verdict: lenient }, { mayCheckNothing: true })).toBe(tolerated);
});
