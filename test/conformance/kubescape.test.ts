// Compares Preadmit with a cluster's verdicts for kubescape/cel-admission-library. Needs the corpus.
import { expect, it } from 'vitest';
import { hasCorpus, withCorpus } from '../support/corpus.ts';
import { needs } from '../support/evidence.ts';
import { answerKubescapeLines, KUBESCAPE, kubescapeLines } from './kubescape.ts';

/** Reasons for different verdicts of the cluster, by test id. An entry whose test passes fails the run. */
const EXCEPTIONS: Readonly<Record<string, string>> = {};

needs('corpus', hasCorpus(KUBESCAPE)).describe('controls/*/tests.json (skipped without the corpus)', () => {
  const lines = withCorpus(KUBESCAPE, kubescapeLines) ?? [];

  it('every object has the verdict of the cluster', () => {
    expect(lines).toHaveLength(628);
    const answers = answerKubescapeLines(lines);
    const differing = answers.filter(({ verdict }, index) => verdict !== JSON.parse(lines[index] ?? '').verdict);
    expect(differing.map(({ id }) => id)).toEqual(Object.keys(EXCEPTIONS));
    // Only failed validations deny: no refused objects and no failing expressions.
    const results = answers.map(({ verdict, results, refusals }) => [verdict, ...new Set(results), ...refusals].join());
    expect(tally(results)).toEqual({ pass: 275, 'fail,fail': 352, 'warn,fail': 1 });
  });
});

function tally(items: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[item] = (counts[item] ?? 0) + 1;
  return counts;
}
