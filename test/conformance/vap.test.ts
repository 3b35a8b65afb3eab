// Compares the evaluation of ValidatingAdmissionPolicy with apiserver's answers.
import { beforeAll, expect, it } from 'vitest';
import { isJsonArray, type JsonObject, type JsonValue, stringifyJson } from '../../src/source/json/json.ts';
import { objectItems, objectOrEmpty, textField } from '../../src/source/json/json-field.ts';
import { parseJson } from '../../src/source/json/parse-json.ts';
import { needs } from '../support/evidence.ts';
import { IS_THOROUGH } from '../support/tries.ts';
import { expectAlike } from './expect-alike.ts';
import { readLines, recordingsOf } from './recordings.ts';
import { answerMatch, answerVap, type PolicyCache, type VapAnswer } from './vap.ts';

interface RecordedLine {
  readonly text: string;
  readonly line: JsonObject;
  readonly answer: VapAnswer;
  /** Decisions with a message in random map order; recorded as null. */
  readonly unstable: ReadonlySet<JsonValue>;
}

for (const recording of recordingsOf('vap')) {
  needs('recordings', recording.isPresent).describe(recording.title, () => {
    let lines: readonly RecordedLine[] = [];
    beforeAll(() => {
      lines = readLines(recording.path).map(recordedLine);
    });

    it('matches the recording, line by line', () => {
      expect(lines).toHaveLength(recording.count);
      const compare = expectAlike(recording);
      const cache: PolicyCache = new Map();
      for (const { text, answer, unstable } of lines) {
        compare(answer.id, masked(answerVap(text, cache), unstable), masked(answer, unstable));
      }
      expect(cache.size, 'each policy is compiled once').toBe(new Set(lines.map(policyText)).size);
    });

    it('matches the same requests', () => {
      const recorded = lines.filter(({ line }) => line.has('matches'));
      expect(recorded).toHaveLength(recording.isOwn ? recording.count : 2785);
      for (const { line, answer } of recorded) {
        const match = answerMatch(line);
        const error = textField(line, 'matchError');
        const outcome = match && ('error' in match ? { error: match.error } : { matches: match.matches });
        const expected = line.has('matchError') ? { error } : { matches: line.get('matches') };
        expect(outcome, answer.id).toEqual(error === NO_CONSTRAINTS ? undefined : expected);
      }
    });

    it('does not depend on order or earlier compilations', () => {
      const cache: PolicyCache = new Map();
      const some = lines.filter((_, index) => index % (IS_THOROUGH ? 5 : 20) === 0);
      const forwards = some.map(({ text }) => answerVap(text));
      const backwards = some
        .toReversed()
        .map(({ text }) => answerVap(text, cache))
        .reverse();
      expect(backwards).toEqual(forwards);
    });
  });
}

/** The matcher's error for a policy without constraints, which no server stores. */
const NO_CONSTRAINTS = 'policy contained no match constraints, a required field';

function recordedLine(text: string): RecordedLine {
  const parsed = parseJson(text);
  const line = objectOrEmpty('value' in parsed ? parsed.value : null);
  const answer: VapAnswer = {
    id: textField(line, 'id'),
    decisions: objectItems(line.get('decisions')).map((decision) => ({
      action: textField(decision, 'action'),
      evaluation: textField(decision, 'evaluation'),
      reason: textField(decision, 'reason'),
      message: textField(decision, 'message'),
    })),
    auditAnnotations: objectItems(line.get('auditAnnotations')).map((annotation) => ({
      key: textField(annotation, 'key'),
      action: textField(annotation, 'action'),
      value: textField(annotation, 'value'),
      error: textField(annotation, 'error'),
    })),
  };
  const unstable = line.get('unstableMessages');
  return { text, line, answer, unstable: new Set(isJsonArray(unstable) ? unstable : []) };
}

function masked({ decisions, ...answer }: VapAnswer, unstable: ReadonlySet<JsonValue>): VapAnswer {
  const mask = (index: number, message: string): string => (unstable.has(BigInt(index)) ? '' : message);
  return {
    ...answer,
    decisions: decisions.map((decision, index) => ({ ...decision, message: mask(index, decision.message) })),
  };
}

function policyText({ line }: RecordedLine): string {
  const policy = line.get('policy') ?? null;
  return textField(line, 'kubernetes') + stringifyJson(policy, { sortKeys: false, escapeHtml: false });
}
