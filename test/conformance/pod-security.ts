// Answers a recording of k8s.io/pod-security-admission (format: scripts/record/pod-security).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  evaluatePod,
  forbiddenDetail,
  forbiddenReason,
  type PodSecurityResult,
} from '../../src/kubernetes/pod-security/evaluate-pod.ts';
import { LATEST_POD_SECURITY_VERSION, podSecurityVersion } from '../../src/kubernetes/pod-security/level-version.ts';
import { type CheckedPod, checkedPod } from '../../src/kubernetes/pod-security/pod.ts';
import { isJsonObject, type JsonObject } from '../../src/source/json/json.ts';
import { objectOrEmpty, textField } from '../../src/source/json/json-field.ts';
import { parseJson } from '../../src/source/json/parse-json.ts';

const RECORDING = join(import.meta.dirname, 'pod-security/pod-security-0.36.jsonl.gz');

/** As in the recorder: one minor beyond the package's release, then `latest`. */
const NEWEST_MINOR = 37;

/** The release of the recorded package. */
const SERVER = { major: 1, minor: 36 };

const LEVELS = ['baseline', 'restricted'] as const;

export function podSecurityLines(): readonly string[] {
  return gunzipSync(readFileSync(RECORDING)).toString('utf8').trim().split('\n');
}

export interface PodSecurityLine {
  readonly id: string;
  /** True if the server cannot decode the Pod, so that no check runs. */
  readonly isRefused: boolean;
  readonly recorded: Readonly<Record<string, unknown>>;
  readonly pod: CheckedPod;
}

export function podSecurityLineOf(text: string): PodSecurityLine {
  const parsed = parseJson(text);
  const line: JsonObject = 'value' in parsed && isJsonObject(parsed.value) ? parsed.value : new Map();
  const recorded = JSON.parse(text) as Record<string, unknown>;
  return {
    id: textField(line, 'id'),
    isRefused: line.has('error'),
    recorded: Object.fromEntries(LEVELS.map((level) => [level, recorded[level]])),
    pod: checkedPod(objectOrEmpty(line.get('metadata')), objectOrEmpty(line.get('spec'))),
  };
}

export function answerPodSecurity(pod: CheckedPod): Readonly<Record<string, unknown>> {
  return Object.fromEntries(LEVELS.map((level) => [level, answersOf(level, pod)]));
}

function answersOf(level: (typeof LEVELS)[number], pod: CheckedPod): readonly unknown[] {
  const answers: unknown[] = [];
  let before: string | undefined;
  for (let minor = 0; minor <= NEWEST_MINOR + 1; minor++) {
    const version = minor > NEWEST_MINOR ? LATEST_POD_SECURITY_VERSION : podSecurityVersion(minor);
    const results = evaluatePod({ level, version }, pod, SERVER);
    const checks = results.map(({ violation }) => (violation ? [violation.reason, violation.detail] : null));
    const text = JSON.stringify(checks);
    if (text !== before) answers.push(answerOf(minor, checks, results));
    before = text;
  }
  return answers;
}

function answerOf(minor: number, checks: readonly unknown[], results: readonly PodSecurityResult[]): unknown {
  return { minor, checks, reason: forbiddenReason(results), detail: forbiddenDetail(results) };
}
