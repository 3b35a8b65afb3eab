// Effects of mutating policies on a change, in every format for users: golden files, rewritten by `BLESS=1`.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compareStates } from '../src/pipeline/compare-states.ts';
import { reporters } from '../src/report/format/reporters.ts';
import { defaultConfiguration } from '../src/settings/configuration.ts';
import { expectGolden } from './support/bless.ts';
import { statesInFolder } from './support/states-in-folder.ts';

const CASE = join(import.meta.dirname, 'cases/mutation/what-it-means-for-a-change');

const report = compareStates({
  ...statesInFolder(CASE),
  names: { base: 'base', head: 'head' },
  configuration: defaultConfiguration(),
  policiesFrom: 'base',
  only: 'new',
  today: '2026-11-21',
  suggests: true,
  explainsMutations: true,
});

test.each(['text', 'markdown', 'json', 'sarif', 'rdjson'])('%s', (name) => {
  const reporter = reporters.get(name);
  if (reporter === undefined) throw new Error(name);
  const text = reporter.render(report, { color: false, width: 100, showSkipped: false, quiet: false });
  const version = `"${report.preadmit}"`;
  expectGolden(join(CASE, `expected.${reporter.extension}`), text.replaceAll(version, '"0.0.0"'));
});

test('contains every section', () => {
  const codes = report.diagnostics.map(({ code }) => code);
  expect(codes).toContain('mutation-drift');
  expect(codes).toContain('order-dependent-mutation');
  expect(report.blastRadius?.stored).toBeGreaterThan(0);
  expect(report.blastRadius?.denied).toBeGreaterThan(0);
  expect(report.targets.flatMap(({ mutatedAway = [] }) => mutatedAway)).not.toEqual([]);
  expect(report.targets.flatMap(({ additions = [] }) => additions)).not.toEqual([]);
  expect(report.suggestions).not.toEqual([]);
});
