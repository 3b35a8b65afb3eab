// Compares the evaluation of Kyverno policies with Kyverno's own answers.
import { expect, it } from 'vitest';
import { DEFAULT_VERSION } from '../../src/kubernetes/api/version.ts';
import { SuiteTools } from '../../src/policy/kyverno/suite/suite-answer.ts';
import { needs } from '../support/evidence.ts';
import { IS_THOROUGH } from '../support/tries.ts';
import { agreesWithKyverno, answerKyverno, isAnswered, kyvernoLines } from './kyverno.ts';
import { KYVERNO_DIFFERENCES } from './kyverno-differences.ts';

const lines = kyvernoLines();

needs('recordings', lines !== undefined).describe('kyverno-1.19.jsonl', () => {
  it('matches the recording, except for known differences', () => {
    const known = new Set([...KYVERNO_DIFFERENCES.values()].flat());
    const tools = new SuiteTools(DEFAULT_VERSION);
    const wrong: string[] = [];
    let compared = 0;
    for (const [index, line] of (lines ?? []).entries()) {
      if ((!IS_THOROUGH && index % 5 !== 0) || !isAnswered(line)) continue;
      const expected = JSON.parse(line) as Record<string, unknown>;
      const id = String(expected['id']);
      const isAlike = agreesWithKyverno(expected, JSON.parse(answerKyverno(line, tools)) as Record<string, unknown>);
      if (isAlike === known.has(id)) wrong.push(isAlike ? `no longer different: ${id}` : id);
      compared++;
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(IS_THOROUGH ? 8000 : 1500);
  });

  it('does not depend on earlier compilations', () => {
    const some = (lines ?? []).filter((line, index) => index % 97 === 0 && isAnswered(line));
    const tools = new SuiteTools(DEFAULT_VERSION);
    const backwards = some.toReversed().map((line) => answerKyverno(line, tools));
    expect(backwards.reverse()).toEqual(some.map((line) => answerKyverno(line, new SuiteTools(DEFAULT_VERSION))));
  });
});
