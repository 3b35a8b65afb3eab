// Requests for Pods and for what makes Pods (pod-security-admission `admission/admission.go: ValidatePod, ValidatePodController`).
import type { Read } from '../../cel/value/trace.ts';
import type { KubernetesVersion } from '../../kubernetes/api/version.ts';
import type { PodSecurityError, Violation } from '../../kubernetes/pod-security/check.ts';
import {
  evaluatePod,
  forbiddenDetail,
  type PodSecurityResult,
  violationText,
} from '../../kubernetes/pod-security/evaluate-pod.ts';
import { formatLevelVersion } from '../../kubernetes/pod-security/level-version.ts';
import type { AdmissionRequest } from '../../kubernetes/request/admission-request.ts';
import { aggregateErrors } from '../../kubernetes/validation/aggregate-errors.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { PolicyIdentity, ValidationAction } from '../language/policy.ts';
import { LABEL_PREFIX, labelPath, type NamespacePolicy } from './namespace-policy.ts';
import { FORBIDDEN, forbiddenDenial, type PodSecurityOutcome, podSecurityFailure } from './outcome.ts';
import type { PodPart } from './pod-template.ts';
import type { PodSecurityMode } from './settings.ts';

export interface PodQuestion {
  readonly request: AdmissionRequest;
  readonly part: PodPart;
  readonly asked: NamespacePolicy;
  /** The Namespace, if it is written anywhere. */
  readonly policy: PolicyIdentity | undefined;
  readonly server: KubernetesVersion;
  /** False for what only makes Pods. */
  readonly isEnforced: boolean;
}

/** What one mode says of the Pod. */
interface ModeAnswer {
  readonly mode: PodSecurityMode;
  readonly action: ValidationAction;
  /** `violates PodSecurity "baseline:latest": `. */
  readonly lead: string;
  /** All that is forbidden, as the server tells it. */
  readonly text: string;
  /** Empty if everything is allowed. */
  readonly results: readonly PodSecurityResult[];
}

/** Adds what the modes say to the outcome: the refusal, or the warning; and the entries of the audit log. */
export function judgePod(question: PodQuestion, outcome: PodSecurityOutcome): void {
  const { request, part, asked, isEnforced } = question;
  const { auditAnnotations } = outcome;
  if (asked.errors.length > 0) {
    const text = aggregateErrors(asked.errors.map(({ message }) => message));
    auditAnnotations.set(`${LABEL_PREFIX}error`, `Failed to parse policy: ${text}`);
  }
  if (isEnforced) auditAnnotations.set(`${LABEL_PREFIX}enforce-policy`, formatLevelVersion(asked.policy.enforce));
  const answers: ModeAnswer[] = [];
  const enforced = isEnforced ? answer('enforce', question) : undefined;
  if (enforced !== undefined && enforced.text !== '') {
    answers.push(enforced);
    outcome.denial = forbiddenDenial(request, enforced.text);
  } else {
    const warned = answer('warn', question);
    if (warned.text !== '') outcome.warnings.push(warned.text);
    answers.push(warned);
  }
  const audited = answer('audit', question);
  if (audited.text !== '') auditAnnotations.set(`${LABEL_PREFIX}audit-violations`, audited.text);
  answers.push(audited);
  outcome.passed += passedChecks(enforced === undefined ? answers : [enforced, ...answers]);
  if (question.policy !== undefined) tellFailures(answers, question, question.policy, part, outcome);
}

const ACTIONS: Readonly<Record<PodSecurityMode, ValidationAction>> = { enforce: 'Deny', warn: 'Warn', audit: 'Audit' };

function answer(mode: PodSecurityMode, { asked, part, server }: PodQuestion): ModeAnswer {
  const levelVersion = asked.policy[mode];
  const results = evaluatePod(levelVersion, part.pod, server);
  const detail = forbiddenDetail(results);
  const verb = mode === 'enforce' ? 'violates' : 'would violate';
  const lead = `${verb} PodSecurity "${formatLevelVersion(levelVersion)}": `;
  return { mode, action: ACTIONS[mode], lead, text: detail === '' ? '' : lead + detail, results };
}

function passedChecks(answers: readonly ModeAnswer[]): number {
  const failed = new Set<string>();
  const all = new Set<string>();
  for (const { check, violation } of answers.flatMap(({ results }) => results)) {
    all.add(check.id);
    if (violation !== undefined) failed.add(check.id);
  }
  return all.size - failed.size;
}

/** One for each thing that is wrong: what several modes forbid alike is told once, in the words of the strictest consequence. */
function tellFailures(
  answers: readonly ModeAnswer[],
  { request, asked }: PodQuestion,
  policy: PolicyIdentity,
  { path }: PodPart,
  outcome: PodSecurityOutcome,
): void {
  const failures = new Map<string, { readonly violation: Violation; readonly told: ModeAnswer[] }>();
  for (const told of answers) {
    for (const { check, violation } of told.results) {
      if (violation === undefined) continue;
      const key = `${check.id}\0${violation.detail}`;
      const known = failures.get(key);
      if (known === undefined) failures.set(key, { violation, told: [told] });
      else known.told.push(told);
    }
  }
  for (const { violation, told } of failures.values()) {
    const { mode, lead, text } = told[0] as ModeAnswer;
    const label = asked.labels[mode];
    outcome.evaluations.push(
      podSecurityFailure({
        policy,
        actions: told.map(({ action }) => action),
        rule: label === undefined ? ['metadata', 'name'] : labelPath(label),
        message: lead + violationText(violation),
        serverMessage: mode === 'enforce' ? forbiddenDenial(request, text).message : text,
        status: FORBIDDEN,
        reads: readsOf(violation, path),
      }),
    );
  }
}

/** The fields that are wrong, and their places in lists where these are known. */
function readsOf({ errors }: Violation, holder: FieldPath): readonly Read[] {
  return errors
    .filter(({ isUnsaid }) => !isUnsaid)
    .flatMap((error) =>
      (error.entries ?? [error.path]).map((path) => ({
        root: 'object',
        path: [...holder, ...path],
        found: isWritten(error),
      })),
    );
}

function isWritten({ type, value }: PodSecurityError): boolean {
  return type === 'forbidden' && value !== 'nil';
}
