// Merged shards give the report of an unsplit run, byte for byte. Shards of different runs are rejected.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseShard, type Shard } from '../src/pipeline/check/shard.ts';
import { checkState } from '../src/pipeline/check-state.ts';
import { mergeReports } from '../src/report/builder/merge.ts';
import { json } from '../src/report/format/document/json.ts';
import { reporters } from '../src/report/format/reporters.ts';
import { readReport } from '../src/report/json/read-report.ts';
import type { Report } from '../src/report/report.ts';
import { type Configuration, defaultConfiguration } from '../src/settings/configuration.ts';
import { loadConfiguration } from '../src/settings/load-configuration.ts';
import { SourceFile } from '../src/source/text/source-file.ts';
import { cleanReport, richReport } from './report/rich-report.ts';
import { IS_THOROUGH, tries } from './support/tries.ts';

const CASES = join(import.meta.dirname, 'cases/check');
const EXAMPLE = join(import.meta.dirname, '../examples/shop');
const ALL_COUNTS = [1, 2, 3, 7];
/** Splits the example into every number of shards; the cases into three, unless PREADMIT_TRIES is set. */
const SPLITS: readonly (readonly [string, readonly number[]])[] = [
  [EXAMPLE, ALL_COUNTS],
  ...readdirSync(CASES)
    // Every shard has its own budget, so a small shard allows different work.
    .filter((name) => name !== 'too-much-work')
    .map((name) => [join(CASES, name), IS_THOROUGH ? ALL_COUNTS : [3]] as const),
];
const OPTIONS = { color: false, width: 100, showSkipped: true, quiet: false };

const SHARD = { index: 1, count: 1, contents: 'abc', unknowns: [[], [{ before: 'a', count: 1, after: 'b' }]] };

interface Repository {
  readonly files: readonly SourceFile[];
  readonly configuration: Configuration;
}

function read(folder: string): Repository {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
  const written = join(folder, '.preadmit.yaml');
  const loaded = existsSync(written)
    ? loadConfiguration(new SourceFile('.preadmit.yaml', readFileSync(written, 'utf8'))).configuration
    : defaultConfiguration();
  const files = paths
    .filter((path) => /\.(?:ya?ml|json)$/.test(path) && path !== '.preadmit.yaml')
    .sort()
    .map((path) => new SourceFile(path, readFileSync(join(folder, path), 'utf8')));
  return { files, configuration: loaded ?? defaultConfiguration() };
}

function check({ files, configuration }: Repository, shard?: Shard): string {
  const report = checkState({
    files: files.map((file) => ({ file, selected: true })),
    paths: new Set(files.map((file) => file.path)),
    notRead: [{ path: 'link.yaml', reason: 'symbolic-link' }],
    configuration,
    ...(shard && { shard }),
  });
  return json.render(report, OPTIONS);
}

function shardsOf(repository: Repository, count: number): string[] {
  return Array.from({ length: count }, (_, index) => check(repository, { index: index + 1, count }));
}

function parsed(texts: readonly string[]): { readonly name: string; readonly report: Report }[] {
  return texts.map((text, index) => {
    const read = readReport(text);
    if ('problem' in read) throw new Error(read.problem);
    return { name: `shard-${index + 1}.json`, report: read.report };
  });
}

function merge(texts: readonly string[]): string | readonly string[] {
  const merged = mergeReports(parsed(texts));
  return 'report' in merged ? json.render(merged.report, OPTIONS) : merged.problems;
}

describe.each(SPLITS)('%s', (folder, counts) => {
  const repository = read(folder);
  let whole = '';
  beforeAll(() => {
    whole = check(repository);
  });

  it.each(counts)('in %i', (count) => {
    expect(merge(shardsOf(repository, count).reverse())).toBe(whole);
  });
});

/** Unknown kinds, objects without a namespace, rejected and exempt ones, all on one line. */
const odd: Repository = {
  configuration: defaultConfiguration(),
  files: [
    new SourceFile(
      'odd.json',
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'List',
        items: Array.from({ length: 40 }, (_, index) => ({
          apiVersion: index % 3 === 0 ? 'example.com/v1' : 'v1',
          kind: index % 3 === 0 ? `Thing${index % 2}` : 'ConfigMap',
          metadata: { name: index % 5 === 0 ? `Not A Name ${index}` : `thing-${index}` },
          ...(index % 7 === 0 && { data: 'not a map' }),
        })),
      }),
    ),
  ],
};

it.each([2, 3, 40])('numbers in sentences add up over %i shards', (count) => {
  const whole = check(odd);
  const { targets } = JSON.parse(whole) as Report;
  expect(targets[0]?.unknownKinds).toEqual([
    { apiVersion: 'example.com/v1', kind: 'Thing0', count: 7 },
    { apiVersion: 'example.com/v1', kind: 'Thing1', count: 7 },
  ]);
  expect(targets[0]?.unknowns.join()).toContain('namespaced resources without a namespace: ');
  expect(merge(shardsOf(odd, count))).toBe(whole);
});

it('shards are rejected if incomplete, duplicate, or of another run', () => {
  const [first, second, third] = shardsOf(odd, 3) as [string, string, string];
  const other = check(
    { ...odd, files: [new SourceFile('odd.json', `${odd.files[0]?.text} `)] },
    { index: 3, count: 3 },
  );
  expect(merge([first, third])).toEqual(['1 of 3 shards are missing, the first is 2/3']);
  expect(merge([first, second, second, third])).toEqual(['`shard-2.json` and `shard-3.json` are both shard 2/3']);
  expect(merge([first, second, other])).toEqual([
    '`shard-3.json` does not belong to `shard-1.json`: made from different files or another configuration',
  ]);
  expect(merge([first, second, third.replace(/"preadmit": ".*"/, '"preadmit": "0.0.1"')])).toEqual([
    expect.stringMatching(/^`shard-3.json` does not belong to `shard-1.json`: made by preadmit 0.0.1, not /),
  ]);
  expect(merge([check(odd)])).toEqual(['`shard-1.json` is the report of a whole run, not of a shard']);
  expect(merge([])).toEqual(['no report to merge']);
});

it.each([
  ['not json', 'is not JSON'],
  ['[]', 'is not a preadmit report'],
  ['{"schemaVersion": 2}', 'has a schemaVersion that this version of preadmit does not know'],
  ['{"schemaVersion": 1}', 'is invalid at `.preadmit`'],
])('%s is not a report', (text, problem) => {
  expect(readReport(text)).toEqual({ problem });
});

it('a report is read only if every field that formats need is valid', () => {
  const text = shardsOf(odd, 2)[0] as string;
  expect(readReport(text.replace('"line": 1', '"line": "1"'))).toEqual({
    problem: 'is invalid at `.coverage.skipped[1].line`',
  });
});

it.each([
  ['2/7', { index: 2, count: 7 }],
  ['256/256', { index: 256, count: 256 }],
  ['0/2', undefined],
  ['3/2', undefined],
  ['1/257', undefined],
  ['1', undefined],
  ['1/2/3', undefined],
  ['-1/2', undefined],
])('the shard %s', (text, shard) => {
  expect(parseShard(text)).toEqual(shard);
});

it('every accepted report can be rendered and merged', () => {
  const whole = JSON.parse(json.render({ ...richReport, shard: SHARD }, OPTIONS)) as unknown;
  const paths = pathsOf(whole);
  const junk = fc.constantFrom<unknown>(null, 7, -1, 1.5, 'x', true, [], {}, [null], [{}], 'Deny', '2027-03-31');
  fc.assert(
    fc.property(fc.nat(paths.length - 1), junk, (index, value) => {
      const read = readReport(JSON.stringify(replaced(whole, paths[index] ?? [], value)));
      if ('problem' in read) return;
      for (const reporter of reporters.values()) reporter.render(read.report, OPTIONS);
      mergeReports([{ name: 'one', report: read.report }]);
    }),
    tries(500, 20261121, 500),
  );
});

function pathsOf(value: unknown): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [[]];
  return Object.entries(value).flatMap(([key, item]) => [[key], ...pathsOf(item).map((path) => [key, ...path])]);
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === key ? replaced(item, rest, by) : item));
  const entries = value as Record<string, unknown>;
  return { ...entries, [key]: replaced(entries[key], rest, by) };
}

it('undecided entries are merged too', () => {
  const findings = richReport.findings.map((finding) => ({ ...finding, result: 'unknown' as const }));
  const shard = { ...SHARD, index: 1, count: 1, unknowns: [] };
  const text = json.render({ ...richReport, findings, shard }, OPTIONS);
  const read = readReport(text);
  if ('problem' in read) throw new Error(read.problem);
  const merged = mergeReports([{ name: 'one', report: read.report }]);
  expect('report' in merged && merged.report.findings.map(({ result }) => result)).toEqual(
    findings.map(() => 'unknown'),
  );
});

it('unlisted entries of a report add up, and fail the gate', () => {
  const part = (index: number): { name: string; report: Report } => ({
    name: `${index}`,
    report: {
      ...cleanReport,
      unlisted: { error: index, warning: 0, notice: 3 },
      shard: { ...SHARD, index, count: 2, unknowns: [] },
    },
  });
  expect(mergeReports([1, 2].map(part))).toMatchObject({
    report: { verdict: { conclusion: 'denied' }, unlisted: { error: 3, warning: 0, notice: 6 } },
  });
});
