// Holds Preadmit to the verdicts a cluster gave for kubescape/cel-admission-library; needs the corpus.
import { expect, it } from 'vitest';
import { hasCorpus, withCorpus } from '../support/corpus.ts';
import { needs } from '../support/evidence.ts';
import { answerKubescapeLines, KUBESCAPE, kubescapeLines } from './kubescape.ts';

/** Why a cluster said something else, by the test's id. An entry whose test passes fails the run. */
const EXCEPTIONS: Readonly<Record<string, string>> = {};

needs('corpus', hasCorpus(KUBESCAPE)).describe('controls/*/tests.json', () => {
  const lines = withCorpus(KUBESCAPE, kubescapeLines) ?? [];

  it('every object gets the verdict the cluster gave it', () => {
    expect(lines).toHaveLength(628);
    const answers = answerKubescapeLines(lines);
    const differing = answers.filter(({ verdict }, index) => verdict !== JSON.parse(lines[index] ?? '').verdict);
    expect(differing.map(({ id }) => id)).toEqual(Object.keys(EXCEPTIONS));
    // Nothing but a validation that is false denies: no refused object, no failing expression stands in for one.
    const results = answers.map(({ verdict, results, refusals }) => [verdict, ...new Set(results), ...refusals].join());
    expect(tally(results)).toEqual({ pass: 275, 'fail,fail': 352, 'warn,fail': 1 });
  });
});

function tally(items: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[item] = (counts[item] ?? 0) + 1;
  return counts;
}
