// What reports for people fold in a comparison: unknowns of base, warnings of one rule, parts of one render target.
import { expect, test } from 'vitest';
import { foldedUnknowns } from '../../../../src/report/folded/new-unknowns.ts';
import { sameWords, withSameMessage } from '../../../../src/report/folded/same-message.ts';
import { sameRuleWords, withSameRule } from '../../../../src/report/folded/same-rule.ts';
import type { Finding, Report, ReportedDiagnostic, TargetSummary } from '../../../../src/report/report.ts';
import { cleanReport, richReport } from '../../../report/rich-report.ts';

const [anyTarget] = cleanReport.targets as [TargetSummary];
const [anyFinding] = richReport.findings as [Finding];
const comparison: NonNullable<Report['comparison']> = {
  base: 'base',
  head: 'head',
  policiesFrom: 'base',
  scope: 'changes',
  changedFiles: [],
  objects: { created: 0, updated: 0, deleted: 0, unchanged: 0 },
  fixed: [],
  notices: [],
};

test('unknowns of base are a number, and those that a diagnostic states are left out', () => {
  const diagnostics: ReportedDiagnostic[] = [
    { code: 'undecided-object', severity: 'warning', message: 'stated (and 2 more like it)', related: [] },
  ];
  const target: TargetSummary = {
    ...anyTarget,
    unknowns: ['new', 'old', 'stated'],
    earlierUnknowns: ['old'],
    unknownKinds: [
      { apiVersion: 'a.example/v1', kind: 'Old', count: 1 },
      { apiVersion: 'a.example/v1', kind: 'New', count: 1 },
    ],
    earlierKinds: ['a.example/v1 Old'],
  };
  const report: Report = { ...cleanReport, comparison, diagnostics, targets: [target] };
  const { sentences, earlier } = foldedUnknowns(report, false);
  expect(sentences).toEqual(['new', expect.stringMatching(/^a\.example\/v1 New \(1\) is neither/)]);
  expect(earlier).toBe(2);
  expect(foldedUnknowns(report, true)).toEqual({
    sentences: ['new', 'old', 'stated', expect.stringMatching(/^2 kinds/)],
    earlier: 0,
  });
  const { comparison: _, ...check } = report;
  expect(foldedUnknowns(check, false)).toEqual(foldedUnknowns(report, true));
});

test('warnings of one rule are one finding with the other objects', () => {
  const warning = (name: string, message: string, more: Partial<Finding> = {}): Finding => ({
    ...anyFinding,
    severity: 'warning',
    actions: ['Warn'],
    message,
    resource: { ...anyFinding.resource, name },
    ...more,
  });
  const findings = [
    warning('a', 'no limits: container web'),
    warning('b', 'no limits: container job'),
    warning('c', 'no limits: container web'),
    warning('d', 'no limits: container web', { actions: ['Deny'], severity: 'error' }),
  ];
  const report: Report = { ...richReport, comparison };
  const folded = withSameRule(findings, report);
  expect(folded.map(({ finding, others }) => [finding.resource.name, others.length])).toEqual([
    ['a', 2],
    ['d', 0],
  ]);
  expect(folded.map(sameRuleWords)).toEqual([
    'the same for Pod shop/b (clusters/prod/größe.yaml:9: job), Pod shop/c (clusters/prod/größe.yaml:9)',
    '',
  ]);
  const all: Report = { ...report, verdict: { ...report.verdict, failOn: 'warn' } };
  expect(withSameRule(findings, all)).toHaveLength(4);
  const { comparison: _, ...check } = report;
  expect(withSameRule(findings, check)).toHaveLength(4);
});

test('parts of one render target and policies of one object are one diagnostic', () => {
  const at = (startLine: number) => ({ ...anyFinding.primary, startLine });
  const part = (name: string, line: number): ReportedDiagnostic => ({
    code: 'not-rendered',
    severity: 'warning',
    message: `kustomization app is incomplete: base ${name} is not in the repository`,
    part: name,
    primary: at(line),
    related: [],
  });
  const open = (policy: string, line: number): ReportedDiagnostic => ({
    code: 'undecided-object',
    severity: 'warning',
    message: `whether ${policy} applies is unknown`,
    policy,
    primary: at(line),
    related: [],
  });
  const folded = withSameMessage([part('one', 3), part('two', 4), open('a', 7), open('b', 7), open('c', 8)]);
  expect(folded.map((each) => [each.diagnostic.primary?.startLine, sameWords(each)])).toEqual([
    [3, 'the same for two (line 4)'],
    [7, 'the same for policy b'],
    [8, ''],
  ]);
});
