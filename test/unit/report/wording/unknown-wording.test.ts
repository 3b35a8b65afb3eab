// Unknowns: one sentence for all kinds, and each sentence once for all targets.
import { expect, test } from 'vitest';
import type { UnknownKind } from '../../../../src/policy/evaluation/unknown.ts';
import type { Report } from '../../../../src/report/report.ts';
import { unknownSentences } from '../../../../src/report/wording/unknown-wording.ts';
import { cleanReport } from '../../../report/rich-report.ts';

type Unknowns = Pick<Report['targets'][number], 'name' | 'unknowns' | 'unknownKinds'>;

function sentences(...targets: readonly Partial<Unknowns>[]): readonly string[] {
  const [any] = cleanReport.targets as [Report['targets'][number]];
  return unknownSentences({ ...cleanReport, targets: targets.map((target) => ({ ...any, ...target })) });
}

function kinds(number: number): readonly UnknownKind[] {
  return Array.from({ length: number }, (_, index) => ({ apiVersion: 'a.example/v1', kind: `Kind${index}`, count: 2 }));
}

test('one kind', () => {
  expect(sentences({ unknownKinds: kinds(1) })).toEqual([
    'a.example/v1 Kind0 (2) is neither built in nor defined here: its plural and scope follow naming conventions, and its fields ' +
      'are not validated; to define it, add a CustomResourceDefinition to the repository or to `clusterFacts`, or a schema to `schemas`',
  ]);
});

test('many kinds', () => {
  const [sentence] = sentences({ unknownKinds: kinds(12) });
  expect(sentence).toMatch(/^12 kinds \(24 resources\) are neither built in nor defined here: /);
  expect(sentence).toMatch(/; they are a\.example\/v1 Kind0 \(2\), .*, a\.example\/v1 Kind9 \(2\) and 2 more kinds$/);
});

test('several targets', () => {
  const [everywhere, east, west] = [
    { name: 'test', unknowns: ['one'] },
    { name: 'east', unknowns: ['one', 'two'] },
    { name: 'west', unknowns: ['two', 'one'] },
  ];
  expect(sentences(everywhere as Partial<Unknowns>, east as Partial<Unknowns>, west as Partial<Unknowns>)).toEqual([
    'one',
    'east, west: two',
  ]);
});
