// The language's own conformance tests. A skip has a reason and fails once it passes.
import { describe, expect, it } from 'vitest';
import { runSpecTest, specEnvironment, specTests } from './cel-spec.ts';
import { SPEC_SKIPS } from './cel-spec-skips.ts';

describe('cel-spec', () => {
  const tests = specTests();
  const environment = specEnvironment();

  it('has the tests the skips are about', () => {
    expect(tests).toHaveLength(1420);
    const ids = new Set(tests.map(({ id }) => id));
    expect([...SPEC_SKIPS.keys()].filter((id) => !ids.has(id))).toEqual([]);
  });

  it('passes all others', () => {
    const failures = tests.map((test) => ({ id: test.id, failure: runSpecTest(test, environment) }));
    const unexpected = failures.filter(({ id, failure }) => failure !== undefined && !SPEC_SKIPS.has(id));
    const overdue = failures.filter(({ id, failure }) => failure === undefined && SPEC_SKIPS.has(id));
    expect(unexpected).toEqual([]);
    expect(overdue).toEqual([]);
  });
});
