// Runs the CEL specification's conformance tests. Each skip has a reason and fails the run once its test passes.
import { describe, expect, it } from 'vitest';
import { FILES, runSpecTest, specEnvironment, specTests } from './cel-spec.ts';
import { SPEC_SKIPS } from './cel-spec-skips.ts';

describe('cel-spec', () => {
  const tests = specTests();
  const environment = specEnvironment();

  it('contains all tests of its files, including the skipped ones', () => {
    const counts = new Map<string, number>();
    for (const { id } of tests) counts.set(fileOf(id), (counts.get(fileOf(id)) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual(FILES);
    expect(tests).toHaveLength(1619);
    const ids = new Set(tests.map(({ id }) => id));
    expect([...SPEC_SKIPS.keys()].filter((id) => !ids.has(id))).toEqual([]);
  });

  it('passes all other tests', () => {
    const failures = tests.map((test) => ({ id: test.id, failure: runSpecTest(test, environment) }));
    const unexpected = failures.filter(({ id, failure }) => failure !== undefined && !SPEC_SKIPS.has(id));
    const overdue = failures.filter(({ id, failure }) => failure === undefined && SPEC_SKIPS.has(id));
    expect(unexpected).toEqual([]);
    expect(overdue).toEqual([]);
  });
});

function fileOf(id: string): string {
  return id.slice(0, id.indexOf('/'));
}
