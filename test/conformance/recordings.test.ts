// Checks that this project's recordings exist, are complete and are current. Lists the larger recordings that are absent.
import { describe, expect, it } from 'vitest';
import { askedLines, OWN_SUITES } from './own/asked.ts';
import { DIFFERENCES } from './own/differences.ts';
import { ownPath, readLines } from './recordings.ts';

describe.each(OWN_SUITES)('own/%s-1.36.jsonl.gz', (suite) => {
  it('matches the current questions (npx tsx scripts/record/record.ts updates it)', () => {
    const asked = askedLines(suite);
    const recorded = readLines(ownPath(suite));
    expect(recorded.map((line, index) => line.slice(0, (asked[index] ?? '').length - 1))).toEqual(
      asked.map((line) => line.slice(0, -1)),
    );
    for (const [index, line] of recorded.entries()) expect(line[(asked[index] ?? '').length - 1]).toMatch(/[,}]/);
  });

  it('has no duplicate questions', () => {
    const names = askedLines(suite).map((line) => {
      const { id, expr } = JSON.parse(line) as { id?: string; expr?: string };
      return id ?? expr;
    });
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(Object.keys(DIFFERENCES[suite] ?? {})));
  });
});
