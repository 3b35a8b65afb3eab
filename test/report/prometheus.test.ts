// Metrics as a Prometheus server reads them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reporters } from '../../src/report/format/reporters.ts';
import type { Finding, Report } from '../../src/report/report.ts';
import { readExposition } from '../support/exposition.ts';
import { cleanReport, emptyReport, hostileReport, richReport } from './rich-report.ts';
import { undecidedReport } from './undecided-report.ts';

function metrics(report: Report, seconds?: number): ReturnType<typeof readExposition> {
  const options = { color: false, width: 100, showSkipped: false, quiet: false };
  const text = reporters.get('prometheus')?.render(report, { ...options, ...(seconds !== undefined && { seconds }) });
  return readExposition(text ?? '');
}

function sum(report: Report, name: string): number {
  return [...(metrics(report).get(name)?.samples.values() ?? [])].reduce((total, value) => total + value, 0);
}

const [FINDING] = richReport.findings.filter(({ excuse }) => excuse === undefined) as [Finding];

function withFindings(findings: readonly Partial<Finding>[]): Report {
  return {
    ...richReport,
    ownership: { path: 'CODEOWNERS', syntax: 'GitHub' },
    findings: findings.map((finding) => ({ ...FINDING, ...finding })),
  };
}

test.each([
  ['rich', richReport],
  ['clean', cleanReport],
  ['empty', emptyReport],
  ['hostile', hostileReport],
])('reads the report %s strictly', (_, report) => {
  expect(metrics(report).get('preadmit_verdict')?.samples.size).toBe(4);
});

test('an undecided run is not clean', () => {
  const read = metrics(undecidedReport('fail'));
  expect(read.get('preadmit_verdict')?.samples.get('{conclusion="allowed"}')).toBe(0);
  expect(read.get('preadmit_verdict')?.samples.get('{conclusion="undecided"}')).toBe(1);
  expect(sum(undecidedReport('fail'), 'preadmit_unjudged')).toBeGreaterThan(0);
});

test('has a duration only if the caller measures one', () => {
  expect(metrics(richReport).has('preadmit_run_duration_seconds')).toBe(false);
  expect(metrics(richReport, 1.5).get('preadmit_run_duration_seconds')?.samples.get('{}')).toBe(1.5);
});

test('any text is a label, and every finding counts', () => {
  const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('a"b', 'a\\', 'a\nb', '}', '\ud800', ''));
  const entry = fc.record({ target: texts, name: texts, owners: fc.array(texts, { minLength: 1, maxLength: 1 }) });
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 20 }), (entries) => {
      const report = withFindings(
        entries.map(({ target, name, owners }) => ({ target, owners, policy: { kind: 'ClusterPolicy', name } })),
      );
      expect(sum(report, 'preadmit_findings')).toBe(entries.length);
      expect(sum(report, 'preadmit_owner_findings')).toBe(entries.length);
    }),
    { numRuns: 50 },
  );
});

test('the number of series is bounded, and sums stay exact', () => {
  const many = Array.from({ length: 5000 }, (_, index) => ({
    policy: { kind: 'ClusterPolicy', name: `policy-${index % 1000}` },
    owners: [`@acme/team-${index}`],
  }));
  const read = metrics(withFindings(many));
  expect(read.get('preadmit_findings')?.samples.size).toBe(101);
  expect(read.get('preadmit_owner_findings')?.samples.size).toBe(101);
  expect(sum(withFindings(many), 'preadmit_findings')).toBe(5000);
});
