// Holds our own recordings to what they ask: there, whole, not out of date.
import { describe, expect, it } from 'vitest';
import { askedLines, OWN_SUITES } from './own/asked.ts';
import { DIFFERENCES } from './own/differences.ts';
import { ownPath, readLines } from './recordings.ts';

describe.each(OWN_SUITES)('own/%s-1.36.jsonl.gz', (suite) => {
  it('answers what is asked today (npx tsx scripts/record/record.ts records anew)', () => {
    const asked = askedLines(suite);
    const recorded = readLines(ownPath(suite));
    expect(recorded.map((line, index) => line.slice(0, (asked[index] ?? '').length - 1))).toEqual(
      asked.map((line) => line.slice(0, -1)),
    );
    for (const [index, line] of recorded.entries()) expect(line[(asked[index] ?? '').length - 1]).toMatch(/[,}]/);
  });

  it('asks nothing twice', () => {
    const names = askedLines(suite).map((line) => {
      const { id, expr } = JSON.parse(line) as { id?: string; expr?: string };
      return id ?? expr;
    });
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(Object.keys(DIFFERENCES[suite] ?? {})));
  });
});
