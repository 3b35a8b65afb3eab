// Answers a recorded line about Kyverno: from a policy, a resource and their context to the results of every rule.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { answerCel } from '../../src/policy/kyverno/suite/answer-cel.ts';
import { answerClassic } from '../../src/policy/kyverno/suite/answer-classic.ts';
import type {
  PolicyAnswer,
  PolicyQuestion,
  RuleAnswer,
  SuiteTools,
} from '../../src/policy/kyverno/suite/suite-answer.ts';
import { isJsonObject, type JsonObject } from '../../src/source/json/json.ts';
import { parseJson } from '../../src/source/json/parse-json.ts';
import { answerAdmission } from './kyverno-admission.ts';
import { recordedLine } from './recorded-json.ts';
import { readLines, SHARED } from './recordings.ts';

/** The recording is beside the project, because it is too large for the repository. */
export function kyvernoPath(): string {
  return join(SHARED, 'conformance', 'kyverno-1.19.jsonl');
}

export function kyvernoLines(): readonly string[] | undefined {
  const path = kyvernoPath();
  return existsSync(path) ? readLines(path) : undefined;
}

/** One recorded line; JSON values distinguish integers from doubles. */
export interface KyvernoLine extends PolicyQuestion {
  readonly id: string;
}

type Answerer = (line: KyvernoLine, tools: SuiteTools) => PolicyAnswer;

const ANSWERERS: ReadonlyMap<string, Answerer> = new Map([
  ['ClusterPolicy', answerClassic],
  ['Policy', answerClassic],
  ['ValidatingPolicy', answerCel],
  ['NamespacedValidatingPolicy', answerCel],
  ['MutatingPolicy', answerCel],
  ['NamespacedMutatingPolicy', answerCel],
  ['GeneratingPolicy', answerCel],
  ['NamespacedGeneratingPolicy', answerCel],
  ['DeletingPolicy', answerCel],
  ['NamespacedDeletingPolicy', answerCel],
  ['ValidatingAdmissionPolicy', answerAdmission],
  ['MutatingAdmissionPolicy', answerAdmission],
]);

/** False for kinds that are not implemented. */
export function isAnswered(text: string): boolean {
  return ANSWERERS.has(String(kyvernoLineOf(text).policy.get('kind')));
}

export function answerKyverno(text: string, tools: SuiteTools): string {
  const line = kyvernoLineOf(text);
  const answerer = ANSWERERS.get(String(line.policy.get('kind')));
  const answer: PolicyAnswer = answerer?.(line, tools) ?? { outcome: 'unsupported', results: [] };
  const { outcome, results, patched, refused, applyError, blocked, denialText } = answer;
  const listed = results.map(({ rule, type, status, message }) => ({ rule, type, status, message }));
  return recordedLine({ id: line.id, outcome, results: listed, patched, refused, applyError, blocked, denialText });
}

export function kyvernoLineOf(text: string): KyvernoLine {
  const parsed = parseJson(text);
  if (!('value' in parsed) || !isJsonObject(parsed.value)) throw new Error('not a recorded line');
  const fields = parsed.value;
  const object = (name: string): JsonObject => {
    const value = fields.get(name);
    return isJsonObject(value) ? value : new Map();
  };
  const extraDocs = fields.get('extraDocs');
  return {
    id: String(fields.get('id')),
    policy: object('policy'),
    resource: fields.get('resource') ?? null,
    context: object('context'),
    engine: String(fields.get('engine')),
    extraDocs: Array.isArray(extraDocs) ? extraDocs : [],
  };
}

/**
 * Requires the same outcome, rules, statuses, messages, patched object and refusal. If Kyverno builds a message in
 * random map order, the recording says so, and the words are compared as a set. For the same reason, the order of the
 * results of one policy is ignored.
 */
export function agreesWithKyverno(expected: Record<string, unknown>, actual: Record<string, unknown>): boolean {
  if (expected['outcome'] !== actual['outcome']) return false;
  const isUnordered = expected['unorderedMessage'] === true;
  const isSet = (text: string) =>
    isUnordered || text.includes('It violates PodSecurity') || text.includes('valid values: [');
  const shown = (text: unknown) => (typeof text === 'string' && isSet(text) ? wordsOf(text) : text);
  const results = (side: Record<string, unknown>) =>
    (side['results'] as RuleAnswer[])
      .map(({ rule, type, status, message }) => JSON.stringify([rule, type, status, shown(message)]))
      .sort();
  return (
    isDeepStrictEqual(results(expected), results(actual)) &&
    agreesOnDenial(expected, actual, isUnordered) &&
    isDeepStrictEqual(expected['patched'], actual['patched']) &&
    shown(expected['refused']) === shown(actual['refused']) &&
    shown(expected['applyError']) === shown(actual['applyError'])
  );
}

/** The recording contains only short texts. */
function agreesOnDenial(
  expected: Record<string, unknown>,
  actual: Record<string, unknown>,
  isUnordered: boolean,
): boolean {
  if (expected['outcome'] !== 'evaluated' || !('action' in expected)) return true;
  if (expected['blocked'] !== actual['blocked']) return false;
  const text = expected['denialText'];
  return isUnordered || text === undefined || text === actual['denialText'];
}

function wordsOf(text: string): string {
  return text
    .split(/[\s,;()[\]{}]+/)
    .sort()
    .join(' ')
    .trim();
}
