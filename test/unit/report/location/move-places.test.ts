// Locations of a report mapped to another version of its files.
import { expect, test } from 'vitest';
import { renderMarkdown } from '../../../../src/report/format/markdown/markdown.ts';
import { movePlaces, placedPaths } from '../../../../src/report/location/move-places.ts';
import type { Report } from '../../../../src/report/report.ts';
import { richReport as auditReport } from '../../../report/rich-report.ts';

// The sections of an audit are not about a change.
const { audit: _, ...richReport } = auditReport;

const PATH = 'clusters/prod/web.yaml';
const linesIn = ({ findings }: Report): number[] =>
  findings.filter(({ primary }) => primary.path === PATH).map(({ primary }) => primary.startLine);

test('moves changed lines only', () => {
  const { report, lost } = movePlaces(richReport, (path, line) => (path === PATH ? line - 3 : line));
  expect(linesIn(report)).toEqual(linesIn(richReport).map((line) => line - 3));
  expect(lost.size).toBe(0);
  const others = ({ findings }: Report) => findings.filter(({ primary }) => primary.path !== PATH);
  expect(others(report).map(({ primary }) => primary)).toEqual(others(richReport).map(({ primary }) => primary));
  const spans = ({ findings }: Report) => findings.map(({ primary }) => primary.endLine - primary.startLine);
  expect(spans(report)).toEqual(spans(richReport));
});

test('reports missing lines as lost', () => {
  const { report, lost } = movePlaces(richReport, (path, line) => (path === PATH && line === 12 ? undefined : line));
  expect([...lost].map(({ path, startLine }) => [path, startLine])).toContainEqual([PATH, 12]);
  const text = renderMarkdown(report, { maxBytes: 60_000, blobUrl: 'https://example.com/blob', lost });
  expect(text).toContain('line 12 of the merge commit');
  expect(text).not.toContain(`${PATH}#L12)`);
  expect(text).toContain(`${PATH}#L40)`);
});

test('keeps locations of deleted objects', () => {
  const findings = richReport.findings.map((finding) => ({ ...finding, operation: 'DELETE' }));
  const { report } = movePlaces({ ...richReport, findings }, () => undefined);
  expect(report.findings.map(({ primary }) => primary)).toEqual(findings.map(({ primary }) => primary));
});

test('ignores findings that do not count', () => {
  const findings = richReport.findings.map((finding) => ({ ...finding, status: 'existing' as const }));
  const verdict = { ...richReport.verdict, only: 'new' as const };
  const accepted = findings.filter(({ excuse }) => excuse !== undefined).map(({ primary }) => primary.path);
  const paths = placedPaths({ ...richReport, verdict, findings, diagnostics: [] });
  for (const path of accepted) expect(paths).toContain(path);
  expect(placedPaths(richReport)).toContain(PATH);
});

test('keeps locations of rules in base', () => {
  const comparison = {
    base: 'a'.repeat(40),
    head: 'b'.repeat(40),
    scope: 'changes' as const,
    changedFiles: [],
    objects: { created: 0, updated: 1, deleted: 0, unchanged: 0 },
    fixed: [],
    notices: [],
  };
  const places = (policiesFrom: 'base' | 'head') =>
    movePlaces({ ...richReport, comparison: { ...comparison, policiesFrom } }, (_path, line) => line + 1)
      .report.findings.flatMap(({ related }) => related)
      .map(({ place }) => place.startLine);
  const lines = richReport.findings.flatMap(({ related }) => related).map(({ place }) => place.startLine);
  expect(places('base')).toEqual(lines);
  expect(places('head')).toEqual(lines.map((line) => line + 1));
});

test('moves suggested edits with their lines, or drops them', () => {
  const fixOf = (report: Report) => report.diagnostics.find(({ fix }) => fix !== undefined)?.fix;
  const moved = movePlaces(richReport, (_, line) => line + 5).report;
  expect(fixOf(moved)).toMatchObject({ line: 17, above: 'spec:', below: '  selector:' });
  expect(moved.suggestions?.map(({ fix }) => fix.line)).toEqual([16]);
  const torn = movePlaces(richReport, (_, line) => (line === 12 ? undefined : line)).report;
  expect(fixOf(torn)).toBeUndefined();
  expect(torn.suggestions?.map(({ fix }) => [fix.line, fix.above, fix.below])).toEqual([
    [11, '  namespace: shop', 'spec:'],
  ]);
});
