// Holds the CEL engine against what cel-go and the Kubernetes libraries answered; needs the recordings beside the project.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { answerCel, type CelLine, recordedEnvironment, sortEntries } from './cel-vectors.ts';

const shared = process.env['PREADMIT_SHARED'] ?? fileURLToPath(new URL('../../../shared', import.meta.url));
const recording = `${shared}/conformance/cel-vectors-1.36.jsonl`;

const MAP_ORDER = 'how many entries are looked at depends on the order of a Go map';

/** Lines whose cost is not ours, by expression; the rest of the line must still agree. */
const SKIPPED_COSTS: ReadonlyMap<string, string> = new Map([
  ["{'key1':1, 'key2':2}.exists(k, k == 'key2')", MAP_ORDER],
  ["{'key1':1, 'key2':2}.all(k, v, k == 'key2' && v == 2)", MAP_ORDER],
  ["{'foo': 2, 'bar': 1, 'baz': 0}.transformMap(k, v, 4 / v)", MAP_ORDER],
]);

describe.skipIf(!existsSync(recording))('cel-vectors-1.36.jsonl (skipped where the recordings are absent)', () => {
  const lines = existsSync(recording) ? readFileSync(recording, 'utf8').trim().split('\n') : [];
  const environment = recordedEnvironment();

  it('is answered alike, line by line', () => {
    expect(lines).toHaveLength(2966);
    for (const text of lines) {
      const { cost: expectedCost, ...expected } = JSON.parse(text) as CelLine;
      const { cost, ...answer } = answerCel(expected, environment);
      expect(sortMaps(answer)).toEqual(sortMaps(expected));
      const skipped = SKIPPED_COSTS.get(expected.expr);
      if (skipped === undefined)
        expect({ expr: expected.expr, cost }).toEqual({ expr: expected.expr, cost: expectedCost });
      else expect(cost, `no longer to be skipped (${skipped}): ${expected.expr}`).not.toBe(expectedCost);
    }
  });
});

/** `{"map": [[key, value], …]}` in the order of the keys, at any depth. */
function sortMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMaps);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, field]) => [key, sortMaps(field)] as const);
  const [only] = entries;
  if (entries.length === 1 && only?.[0] === 'map' && Array.isArray(only[1])) return { map: sortEntries(only[1]) };
  return Object.fromEntries(entries);
}
