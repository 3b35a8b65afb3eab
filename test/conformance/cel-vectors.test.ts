// Compares the CEL engine with the answers of cel-go and the Kubernetes libraries.
import { expect, it } from 'vitest';
import { needs } from '../support/evidence.ts';
import { answerCel, type CelLine, recordedEnvironment, sortEntries } from './cel-vectors.ts';
import { expectAlike } from './expect-alike.ts';
import { readLines, recordingsOf } from './recordings.ts';

const MAP_ORDER = 'how many entries are looked at depends on the order of a Go map';

/** Expressions with a different cost here; the rest of the answer must still match. */
const SKIPPED_COSTS: ReadonlyMap<string, string> = new Map([
  ["{'key1':1, 'key2':2}.exists(k, k == 'key2')", MAP_ORDER],
  ["{'key1':1, 'key2':2}.all(k, v, k == 'key2' && v == 2)", MAP_ORDER],
  ["{'foo': 2, 'bar': 1, 'baz': 0}.transformMap(k, v, 4 / v)", MAP_ORDER],
]);

for (const recording of recordingsOf('cel')) {
  needs('recordings', recording.isPresent).describe(recording.title, () => {
    it('matches the recording, line by line', () => {
      const lines = readLines(recording.path);
      const compare = expectAlike(recording);
      const environment = recordedEnvironment();
      expect(lines).toHaveLength(recording.count);
      for (const text of lines) {
        const expected = JSON.parse(text) as CelLine;
        const { expr } = expected;
        const answer = answerCel(expected, environment);
        const skipped = SKIPPED_COSTS.get(expr);
        if (skipped === undefined) compare(expr, sortMaps(answer), sortMaps(expected));
        else {
          compare(expr, sortMaps({ ...answer, cost: 0 }), sortMaps({ ...expected, cost: 0 }));
          expect(answer.cost, `no longer to be skipped (${skipped}): ${expr}`).not.toBe(expected.cost);
        }
      }
    });
  });
}

/** Sorts `{"map": [[key, value], …]}` by key, at any depth. */
function sortMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMaps);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, field]) => [key, sortMaps(field)] as const);
  const [only] = entries;
  if (entries.length === 1 && only?.[0] === 'map' && Array.isArray(only[1])) return { map: sortEntries(only[1]) };
  return Object.fromEntries(entries);
}
