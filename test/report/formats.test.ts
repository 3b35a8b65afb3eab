// One Report in every format, compared with the golden files, which BLESS=1 rewrites.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reporters } from '../../src/report/format/reporters.ts';
import type { Report } from '../../src/report/report.ts';
import type { ReporterOptions } from '../../src/report/reporter.ts';
import { cleanReport, emptyReport, hostileReport, richReport } from './rich-report.ts';

const GOLDEN = join(import.meta.dirname, 'golden');
const PLAIN: ReporterOptions = { color: false, width: 100, showSkipped: true, quiet: false };

const variants: readonly { readonly name: string; readonly report: Report }[] = [
  { name: 'rich', report: richReport },
  { name: 'clean', report: cleanReport },
  { name: 'empty', report: emptyReport },
  { name: 'hostile', report: hostileReport },
];

describe.each([...reporters.values()])('$name', (reporter) => {
  test.each(variants)('$name', ({ name, report }) => {
    expectGolden(`${reporter.name}.${name}.${reporter.extension}`, reporter.render(report, PLAIN));
  });
});

describe('text', () => {
  const text = reporters.get('text');
  test.each([
    ['color', { ...PLAIN, color: true }],
    ['quiet', { ...PLAIN, quiet: true }],
    ['narrow', { ...PLAIN, width: 60, showSkipped: false }],
  ])('%s', (name, options) => {
    expectGolden(`text.rich-${name}.txt`, text?.render(richReport, options) ?? '');
  });
});

interface SarifResult {
  readonly ruleId: string;
  readonly partialFingerprints: { readonly primaryLocationLineHash?: string };
}

function sarifResults(report: Report): readonly SarifResult[] {
  return JSON.parse(reporters.get('sarif')?.render(report, PLAIN) ?? '').runs[0].results;
}

function findingWith(binding: string, rule: string, fingerprint: string): Report['findings'][number] {
  const [finding] = richReport.findings.filter(({ excuse }) => excuse === undefined);
  if (finding === undefined) throw new Error('no finding');
  const primary = { ...finding.primary, lineHash: 'd41d8cd98f00b204:1' };
  return { ...finding, primary, binding, fingerprint, rule: { field: rule, expression: 'object.spec.replicas <= 3' } };
}

describe('sarif', () => {
  test('gives two bindings of one policy two results with different hashes', () => {
    const rule = 'spec.validations[0].expression';
    const findings = [findingWith('one', rule, '1'.repeat(16)), findingWith('two', rule, '2'.repeat(16))];
    const results = sarifResults({ ...richReport, findings, diagnostics: [] });
    expect(new Set(results.map(({ ruleId }) => ruleId)).size).toBe(1);
    const hashes = results.map(({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash);
    expect(hashes[0]).toBe('d41d8cd98f00b204:1');
    expect(hashes[1]).toMatch(/^(?!d41d8cd98f00b204)[0-9a-f]{16}:1$/);
  });

  test('keeps the name of a rule after a validation is inserted before it', () => {
    const idAt = (field: string): string | undefined =>
      sarifResults({ ...richReport, findings: [findingWith('one', field, '1'.repeat(16))], diagnostics: [] })[0]
        ?.ruleId;
    expect(idAt('spec.validations[0].expression')).toBe(idAt('spec.validations[1].expression'));
  });
});

test('junit has unique case names in a suite', () => {
  const rule = 'spec.validations[0].expression';
  const findings = ['1', '2', '3'].map((digit) => findingWith('one', rule, digit.repeat(16)));
  const text = reporters.get('junit')?.render({ ...richReport, findings }, PLAIN) ?? '';
  for (const suite of text.split('<testsuite ')) {
    const names = [...suite.matchAll(/<testcase name="([^"]*)" classname="([^"]*)"/g)].map(([whole]) => whole);
    expect(new Set(names).size).toBe(names.length);
  }
});

function expectGolden(file: string, actual: string): void {
  const path = join(GOLDEN, file);
  if (process.env['BLESS'] === '1') {
    mkdirSync(GOLDEN, { recursive: true });
    writeFileSync(path, actual);
  }
  expect(actual).toBe(readFileSync(path, 'utf8'));
}
