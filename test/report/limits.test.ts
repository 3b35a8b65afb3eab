// Requirements of consumers beyond a format's schema: GitHub's rules for SARIF, unique fingerprints, sizes.
import { describe, expect, test } from 'vitest';
import { renderMarkdown } from '../../src/report/format/markdown/markdown.ts';
import { reporters } from '../../src/report/format/reporters.ts';
import type { Finding, Report } from '../../src/report/report.ts';
import { cleanReport, emptyReport, HOSTILE_TEXTS, hostileReport, richReport } from './rich-report.ts';
import { undecidedReport } from './undecided-report.ts';

const render = (format: string, report: Report): string =>
  reporters.get(format)?.render(report, { color: false, width: 100, showSkipped: true, quiet: false }) ?? '';

const reports: readonly (readonly [string, Report])[] = [
  ['rich', richReport],
  ['clean', cleanReport],
  ['empty', emptyReport],
  ['hostile', hostileReport],
  ['undecided', undecidedReport('fail')],
];

function withFindings(number: number, findingOf: (index: number) => Partial<Finding> = () => ({})): Report {
  const [template] = richReport.findings as [Finding, ...Finding[]];
  const findings = Array.from({ length: number }, (_, index) => ({ ...template, ...findingOf(index) }));
  return { ...richReport, findings };
}

interface Region {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

interface SarifLog {
  readonly runs: readonly [
    {
      readonly columnKind: string;
      readonly tool: { readonly driver: { readonly name: string; readonly rules: readonly SarifRule[] } };
      readonly results: readonly SarifResult[];
      readonly invocations: readonly [{ readonly toolExecutionNotifications: readonly unknown[] }];
    },
  ];
}

interface SarifRule {
  readonly id: string;
  readonly shortDescription: { readonly text: string };
  readonly fullDescription: { readonly text: string };
  readonly help: { readonly text: string };
}

interface SarifResult {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly message: { readonly text: string };
  readonly locations: readonly {
    readonly physicalLocation: { readonly artifactLocation: { readonly uri: string }; readonly region: Region };
  }[];
  readonly partialFingerprints: Readonly<Record<string, string>>;
}

const sarifOf = (report: Report): SarifLog['runs'][0] => (JSON.parse(render('sarif', report)) as SarifLog).runs[0];

describe.each(reports)('sarif of the %s report', (_name, report) => {
  const { columnKind, results, tool } = sarifOf(report);

  test('has all fields that code scanning requires of rules and results', () => {
    expect(columnKind).toBe('unicodeCodePoints');
    for (const { id, shortDescription, fullDescription, help } of tool.driver.rules) {
      for (const text of [id, shortDescription.text, fullDescription.text, help.text]) expect(text).not.toBe('');
      expect(shortDescription.text.length).toBeLessThanOrEqual(1024);
    }
    for (const { ruleId, ruleIndex, message, locations } of results) {
      expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId);
      expect(message.text).not.toBe('');
      expect(message.text).not.toContain('](');
      expect(locations).toHaveLength(1);
    }
  });

  test('has one line in every region, and relative paths', () => {
    for (const { locations } of results) {
      for (const { physicalLocation } of locations) {
        const { startLine, endLine, startColumn, endColumn } = physicalLocation.region;
        expect(endLine).toBe(startLine);
        expect(endColumn).toBeGreaterThanOrEqual(startColumn);
        expect(physicalLocation.artifactLocation.uri).toMatch(/^(?!\/)[\w.!~*'()%/-]*$/);
      }
    }
  });

  test('contains every finding and every diagnostic once', () => {
    const placed = report.diagnostics.filter(({ primary, excuse }) => primary !== undefined && !excuse).length;
    const open = report.findings.filter(({ excuse }) => excuse === undefined).length;
    expect(results).toHaveLength(open + placed);
  });
});

test("sarif keeps the line hash and adds Preadmit's fingerprint", () => {
  const [result] = sarifOf({ ...richReport, diagnostics: [] }).results;
  expect(result?.partialFingerprints).toEqual({
    primaryLocationLineHash: '9b2a7b0c9fd4e86e:1',
    'preadmit/v1': '3f1c0a5e7f0b4d6c',
  });
});

test('sarif has at most 25 000 results and reports the omitted number', () => {
  const { results, invocations } = sarifOf({ ...withFindings(25_010), diagnostics: [] });
  expect(results).toHaveLength(25_000);
  expect(invocations[0].toolExecutionNotifications).toEqual([
    { level: 'warning', message: { text: '10 results more did not fit; the json format has all' } },
  ]);
});

test('gitlab fingerprints are unique', () => {
  const issues = JSON.parse(render('gitlab', withFindings(5))) as { readonly fingerprint: string }[];
  expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length);
});

test('json can be read back', () => {
  expect(JSON.parse(render('json', richReport))).toEqual(richReport);
});

describe('markdown', () => {
  const long = HOSTILE_TEXTS.join(' ').repeat(5);
  const large = withFindings(1_500, (index) => ({
    message: `${index} ${long}`,
    resource: { apiVersion: 'v1', kind: 'Pod', name: `${index} ${long}` },
    primary: { path: `apps/${index % 700}/${long}`, startLine: 1, startColumn: 1, endLine: 1, endColumn: 2 },
  }));

  test.each([2_000, 10_000, 65_535, 1_048_576])('stays within %i bytes', (maxBytes) => {
    const text = renderMarkdown(large, { maxBytes, blobUrl: 'https://github.com/shop/manifests/blob/main' });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes);
    expect(text).toMatch(/^## ❌ Admission policies: 2 of 17 objects would be denied/);
    expect(text.trimEnd()).toMatch(/<sub>Preadmit · .*<\/sub>$/);
    if (maxBytes >= 10_000) expect(text).toMatch(/\d+ more findings; the JSON report has them all\.\n/);
  });

  test('shows all rules, and the number of findings in a group', () => {
    const findings = withFindings(10_000, (index) => ({
      policy: { kind: 'ValidatingAdmissionPolicy', name: `policy-${index % 30}` },
      resource: { apiVersion: 'v1', kind: 'Pod', name: `pod-${index}` },
    }));
    const text = renderMarkdown(findings, { maxBytes: 65_535, blobUrl: 'https://github.com/shop/manifests/blob/main' });
    expect(text).toContain('10000 findings by rule:');
    for (let rule = 0; rule < 30; rule++) expect(text).toContain(`<code>policy-${rule}</code> · `);
    expect(text.match(/<details open>/g)).toHaveLength(1);
    const listed = text.match(/^- `Pod pod-\d+` in /gm)?.length ?? 0;
    expect(listed).toBeGreaterThan(60);
    expect(text).toContain(`${10_000 - listed} more findings; the JSON report has them all.`);
  });

  test('shows expressions unchanged, including vertical bars', () => {
    const report = withFindings(1, () => ({ rule: { field: 'spec.validations[0].expression', expression: 'a || b' } }));
    expect(renderMarkdown(report, { maxBytes: 65_535 })).toContain('`a || b`');
  });

  test('links rules and params at their deciding version: in base', () => {
    const base = 'b'.repeat(40);
    const comparison = {
      base,
      head: 'c'.repeat(40),
      scope: 'changes' as const,
      changedFiles: [],
      objects: { created: 0, updated: 1, deleted: 0, unchanged: 0 },
      fixed: [],
      notices: [],
    };
    const page = {
      maxBytes: 65_535,
      blobUrl: 'https://h/blob/head',
      baseBlobUrl: 'https://h/blob/base',
      baseName: 'main',
    };
    const by = (policiesFrom: 'base' | 'head' | 'both'): string =>
      renderMarkdown({ ...richReport, comparison: { ...comparison, policiesFrom } }, page);
    expect(by('base')).toContain('https://h/blob/base/policies/replica-limit.yaml#L14');
    expect(by('base')).toContain('https://h/blob/base/policies/limits.yaml#L7');
    expect(by('base')).toContain('https://h/blob/head/clusters/prod/web.yaml#L12');
    expect(by('base')).toContain('`preadmit diff main HEAD`');
    expect(by('head')).toContain('https://h/blob/head/policies/replica-limit.yaml#L14');
    expect(by('both')).not.toContain('policies/replica-limit.yaml#');
    const hostile = { ...page, baseName: '$(id)' };
    const text = renderMarkdown({ ...richReport, comparison: { ...comparison, policiesFrom: 'base' } }, hostile);
    expect(text).toContain('`preadmit diff bbbbbbbbbb HEAD`');
  });

  test('closes every section it folds', () => {
    const text = renderMarkdown(large, { maxBytes: 65_535 });
    expect(text.split(/<details(?: open)?>/).length).toBe(text.split('</details>').length);
  });

  test('links lines to the commit', () => {
    const text = renderMarkdown(richReport, {
      maxBytes: 65_535,
      blobUrl: 'https://github.com/shop/manifests/blob/c0ffee',
    });
    expect(text).toContain(
      '[clusters/prod/web.yaml:12](https://github.com/shop/manifests/blob/c0ffee/clusters/prod/web.yaml#L12)',
    );
    expect(text).toContain('/clusters/prod/gr%C3%B6%C3%9Fe.yaml#L9)');
  });
});
