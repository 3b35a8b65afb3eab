// Requests for Pods and for objects that create Pods (pod-security-admission `admission/admission.go: ValidatePod, ValidatePodController`).
import type { Read } from '../../cel/value/trace.ts';
import type { KubernetesVersion } from '../../kubernetes/api/version.ts';
import type { PodSecurityError, Violation } from '../../kubernetes/pod-security/check.ts';
import {
  evaluatePod,
  forbiddenDetail,
  type PodSecurityResult,
  violationText,
} from '../../kubernetes/pod-security/evaluate-pod.ts';
import { formatLevelVersion, podSecurityVersion } from '../../kubernetes/pod-security/level-version.ts';
import type { CheckedPod } from '../../kubernetes/pod-security/pod.ts';
import type { AdmissionRequest } from '../../kubernetes/request/admission-request.ts';
import { openReasonText } from '../../kubernetes/request/open-reason.ts';
import { aggregateErrors } from '../../kubernetes/validation/aggregate-errors.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import type { PolicyIdentity, ValidationAction } from '../language/policy.ts';
import { LABEL_PREFIX, labelPath, levelLabel, type NamespacePolicy } from './namespace-policy.ts';
import { FORBIDDEN, forbiddenDenial, type PodSecurityOutcome, podSecurityFailure } from './outcome.ts';
import { type PodPart, podPartOf } from './pod-template.ts';
import type { PodSecurityMode } from './settings.ts';

export interface PodQuestion {
  readonly request: AdmissionRequest;
  readonly part: PodPart;
  readonly asked: NamespacePolicy;
  /** The Namespace, if the repository defines it. */
  readonly policy: PolicyIdentity | undefined;
  readonly server: KubernetesVersion;
  /** False for objects that only create Pods. */
  readonly isEnforced: boolean;
}

interface ModeAnswer {
  readonly mode: PodSecurityMode;
  readonly action: ValidationAction;
  /** `violates PodSecurity "baseline:latest": `. */
  readonly lead: string;
  /** All violations, in the server's text. */
  readonly text: string;
  /** Empty if the policy allows everything. */
  readonly results: readonly PodSecurityResult[];
}

/** Adds the denial or the warning, and the audit annotations. */
export function judgePod(question: PodQuestion, outcome: PodSecurityOutcome): void {
  const { request, asked, isEnforced } = question;
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
    // Not a violation, but perhaps a check that depends on an open field.
    if (enforced?.results.some(({ unknown }) => unknown !== undefined)) answers.push(enforced);
    const warned = answer('warn', question);
    if (warned.text !== '') outcome.warnings.push(warned.text);
    answers.push(warned);
  }
  const audited = answer('audit', question);
  if (audited.text !== '') auditAnnotations.set(`${LABEL_PREFIX}audit-violations`, audited.text);
  answers.push(audited);
  outcome.passed += passedChecks(
    enforced === undefined || answers.includes(enforced) ? answers : [enforced, ...answers],
  );
  if (question.policy !== undefined) tellFailures(answers, question, question.policy, outcome);
}

const ACTIONS: Readonly<Record<PodSecurityMode, ValidationAction>> = { enforce: 'Deny', warn: 'Warn', audit: 'Audit' };

function answer(mode: PodSecurityMode, { asked, part, server }: PodQuestion): ModeAnswer {
  const levelVersion = asked.policy[mode];
  const results = asked.open.has(mode) ? [] : evaluatePod(levelVersion, part.pod, server);
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

/** One evaluation per violation. If several modes forbid it, it is reported once, with the message of the strictest mode. */
function tellFailures(
  answers: readonly ModeAnswer[],
  question: PodQuestion,
  policy: PolicyIdentity,
  outcome: PodSecurityOutcome,
): void {
  const { request, asked, part } = question;
  const failures = new Map<string, { readonly violation: Violation; readonly given: ModeAnswer[] }>();
  for (const answer of answers) {
    for (const { check, violation } of answer.results) {
      if (violation === undefined) continue;
      const key = `${check.id}\0${violation.detail}`;
      const known = failures.get(key);
      if (known === undefined) failures.set(key, { violation, given: [answer] });
      else known.given.push(answer);
    }
  }
  for (const unknown of unknownsOf(answers, question, policy)) outcome.evaluations.push(unknown);
  for (const unknown of unknownLevels(question, policy)) outcome.evaluations.push(unknown);
  for (const { violation, given } of failures.values()) {
    const { mode, lead, text } = given[0] as ModeAnswer;
    const label = asked.labels[mode];
    outcome.evaluations.push(
      podSecurityFailure({
        policy,
        actions: given.map(({ action }) => action),
        rule: label === undefined ? ['metadata', 'name'] : labelPath(label),
        message: lead + violationText(violation),
        serverMessage: mode === 'enforce' ? forbiddenDenial(request, text).message : text,
        status: FORBIDDEN,
        reads: readsOf(violation, part.path),
      }),
    );
  }
}

/** One evaluation for all modes whose level is unknown. None if the Pod passes at every level. */
function unknownLevels(
  { request, asked, part, server, isEnforced }: PodQuestion,
  policy: PolicyIdentity,
): readonly Evaluation[] {
  const modes = [...asked.open.keys()].filter((mode) => isEnforced || mode !== 'enforce');
  const [first] = modes;
  if (first === undefined || passesEveryLevel(part.pod, server)) return [];
  const label = asked.open.get(first) ?? levelLabel(first);
  const message = `may violate PodSecurity "restricted:latest"`;
  const failure = podSecurityFailure({
    policy,
    actions: modes.map((mode) => ACTIONS[mode]),
    rule: labelPath(label),
    message,
    serverMessage: message,
    status: FORBIDDEN,
    reads: [],
  });
  const labels = [...new Set(modes.map((mode) => `\`${asked.open.get(mode)}\``))].join(' and ');
  const missing = `the ${labels.includes(' and ') ? 'labels' : 'label'} ${labels} of the Namespace ${request.namespace}, whose file gives no value`;
  return [{ ...failure, result: 'unknown', missing: [missing] }];
}

/** True if no level in any version forbids the Pod. Checks of newer versions are not always stricter. */
export function passesEveryLevel(pod: CheckedPod, server: KubernetesVersion): boolean {
  for (let minor = server.minor; minor >= 0; minor--) {
    const results = evaluatePod({ level: 'restricted', version: podSecurityVersion(minor) }, pod, server);
    if (results.some(({ violation, unknown }) => violation !== undefined || unknown !== undefined)) return false;
  }
  return true;
}

/** One evaluation per check that depends on an open field. */
function unknownsOf(
  answers: readonly ModeAnswer[],
  { request, asked, server }: PodQuestion,
  policy: PolicyIdentity,
): readonly Evaluation[] {
  const checks = new Map<string, { readonly unknown: FieldPath; readonly given: ModeAnswer[] }>();
  for (const answer of answers) {
    for (const { check, unknown } of answer.results) {
      if (unknown === undefined) continue;
      const known = checks.get(check.id);
      if (known === undefined) checks.set(check.id, { unknown, given: [answer] });
      else known.given.push(answer);
    }
  }
  return [...checks].map(([id, { unknown, given }]): Evaluation => {
    const { mode, lead } = given[0] as ModeAnswer;
    const label = asked.labels[mode];
    const message = lead + id;
    const failure = podSecurityFailure({
      policy,
      actions: given.map(({ action }) => action),
      rule: label === undefined ? ['metadata', 'name'] : labelPath(label),
      message,
      serverMessage: message,
      status: FORBIDDEN,
      reads: [{ root: 'object', path: unknown, found: true }],
    });
    const reason = request.invented?.reasonOf?.(unknown);
    const plain =
      reason?.byDefault === undefined || request.object === null
        ? undefined
        : podPartOf(request.resource, request.object);
    const supposed = plain === undefined ? [] : evaluatePod(asked.policy[mode], plain.pod, server);
    const fails = supposed.some(({ check, violation }) => check.id === id && violation !== undefined);
    return { ...failure, result: 'unknown', missing: [openReasonText(unknown, reason, fails)] };
  });
}

export function dependsOn({ invented }: AdmissionRequest, path: FieldPath): string {
  return openReasonText(path, invented?.reasonOf?.(path), false);
}

/** The fields in violation, with list indices where known. */
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
