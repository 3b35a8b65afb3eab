// A report contains the most severe findings and counts the others.
import { expect, test } from 'vitest';
import { limitFindings, unlistedBeyond } from '../../../../src/report/finding/finding-limits.ts';
import { listingOf } from '../../../../src/report/format/text/listing.ts';
import type { Finding, Severity } from '../../../../src/report/report.ts';
import { richReport } from '../../../report/rich-report.ts';

function finding(name: string, severity: Severity, line = 1, path = 'a.yaml'): Finding {
  const [any] = richReport.findings as [Finding];
  const primary = { ...any.primary, path, startLine: line };
  return { ...any, fingerprint: name, severity, resource: { ...any.resource, name }, primary };
}

test('keeps the most severe findings, in report order', () => {
  const findings = [
    finding('a', 'notice'),
    finding('b', 'error', 9),
    finding('c', 'warning'),
    finding('d', 'error', 3),
  ];
  const { findings: kept, unlisted } = limitFindings(findings, 2);
  expect(kept.map(({ fingerprint }) => fingerprint)).toEqual(['d', 'b']);
  expect(unlisted).toEqual({ error: 0, warning: 1, notice: 1 });
  expect(limitFindings([...findings].reverse(), 2)).toEqual({ findings: kept, unlisted });
  expect(limitFindings(findings, 4)).toEqual({ findings, unlisted: { error: 0, warning: 0, notice: 0 } });
});

test('does not count omitted findings as new', () => {
  const known = { error: 5, warning: 0, notice: 1 };
  expect(unlistedBeyond({ error: 5, warning: 2, notice: 0 }, known)).toEqual({ error: 0, warning: 2, notice: 0 });
});

test('lists entries of every file and object before further ones', () => {
  const flood = Array.from({ length: 150 }, (_, index) => finding('flood', 'error', index));
  const findings = [...flood, finding('late', 'error', 900), finding('other', 'warning', 1, 'b.yaml')];
  const { files, rest } = listingOf(
    findings,
    ({ primary }) => primary.path,
    ({ resource }) => resource.name,
  );
  expect(files.map(({ path, entries, all }) => [path, entries.length, all.length])).toEqual([
    ['a.yaml', 100, 151],
    ['b.yaml', 1, 1],
  ]);
  expect(files[0]?.entries.at(-1)?.resource.name).toBe('late');
  expect(rest).toBe(51);
});

test('lists the files with the most severe findings', () => {
  const findings = Array.from({ length: 1_100 }, (_, index) =>
    finding(`${index}`, index === 1_099 ? 'error' : 'warning', 1, `${String(index).padStart(4, '0')}.yaml`),
  );
  const { files, rest } = listingOf(
    findings,
    ({ primary }) => primary.path,
    ({ resource }) => resource.name,
  );
  expect([files.length, files.at(-1)?.path, rest]).toEqual([1_000, '1099.yaml', 100]);
});
