// Requests for Namespaces: rejects invalid labels and warns about existing Pods that violate stricter ones (pod-security-admission `ValidateNamespace`).
import type { Read } from '../../cel/value/trace.ts';
import { append } from '../../go/slices/append.ts';
import type { Cluster } from '../../kubernetes/cluster/cluster.ts';
import { valuelessLabels } from '../../kubernetes/cluster/open-namespace.ts';
import { compareLevels, formatLevelVersion, isEquivalent } from '../../kubernetes/pod-security/level-version.ts';
import type { AdmissionRequest } from '../../kubernetes/request/admission-request.ts';
import { labelsOf } from '../../kubernetes/selector/label-selector.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import type { PolicyIdentity } from '../language/policy.ts';
import { existingPods } from './existing-pods.ts';
import {
  isFullyPrivileged,
  labelPath,
  levelLabel,
  type NamespacePolicy,
  namespacePolicy,
  POLICY_LABELS,
} from './namespace-policy.ts';
import { FORBIDDEN, INVALID, invalidDenial, type PodSecurityOutcome, podSecurityFailure } from './outcome.ts';
import type { PodSecurityMode, PodSecurityPolicy, PodSecuritySettings } from './settings.ts';

export interface NamespaceQuestion {
  readonly request: AdmissionRequest;
  /** The Namespace, if the repository defines it. */
  readonly policy: PolicyIdentity | undefined;
  readonly cluster: Cluster;
  readonly settings: PodSecuritySettings;
}

export function judgeNamespace(
  { request, policy, cluster, settings }: NamespaceQuestion,
  outcome: PodSecurityOutcome,
): void {
  const { object, oldObject, name } = request;
  if (object === null) return;
  const labels = labelsOf(object);
  const valueless = valuelessLabels(request.invented?.unseen ?? []);
  const asked = namespacePolicy(labels, settings.defaults, valueless);
  const before = oldObject === null ? undefined : namespacePolicy(labelsOf(oldObject), settings.defaults, valueless);
  if (asked.errors.length > 0 && (before === undefined || !isSameErrors(asked, before))) {
    refuse(request, asked, policy, outcome);
    return;
  }
  if (before !== undefined && !isStricter(asked.policy, before.policy)) return;
  if (settings.exemptions.namespaces.includes(name)) {
    const warning = exemptionWarning(name, asked, new Set(labels.keys()), settings);
    if (warning !== undefined) warn(warning, warning, asked, policy, outcome);
    return;
  }
  if (before === undefined) return;
  const { enforce } = asked.policy;
  const { lines, makers } = existingPods(name, enforce, cluster, settings);
  if (lines.length === 0 && makers.length === 0) return;
  const lead = `existing pods in namespace "${name}" violate the new PodSecurity enforce level "${formatLevelVersion(enforce)}"`;
  if (lines.length > 0) append(outcome.warnings, [lead, ...lines]);
  const pods = listed([...lines, ...makers.map((maker) => `Pods of ${maker}`)]);
  // Only the cluster knows whether a controller has created its Pods.
  const missing = lines.length > 0 ? [] : ['which Pods run in the Namespace'];
  warn(`${lead}: ${pods}`, lead, asked, policy, outcome, missing);
}

const MAX_LISTED = 10;

function listed(entries: readonly string[]): string {
  const rest = entries.length - MAX_LISTED;
  return entries.slice(0, MAX_LISTED).join('; ') + (rest > 0 ? `; and ${rest} more` : '');
}

function isSameErrors(one: NamespacePolicy, other: NamespacePolicy): boolean {
  const texts = ({ errors }: NamespacePolicy): string => errors.map(({ message }) => message).join('\0');
  return texts(one) === texts(other);
}

/** Existing Pods are checked unless the new policy can forbid nothing more. */
function isStricter({ enforce }: PodSecurityPolicy, { enforce: before }: PodSecurityPolicy): boolean {
  if (enforce.level === 'privileged') return false;
  if (enforce.version.text !== before.version.text) return true;
  return compareLevels(enforce.level, before.level) > 0;
}

function refuse(
  request: AdmissionRequest,
  { errors }: NamespacePolicy,
  policy: PolicyIdentity | undefined,
  outcome: PodSecurityOutcome,
): void {
  const denial = invalidDenial(
    request,
    errors.map(({ message }) => message),
  );
  outcome.denial = denial;
  if (policy === undefined) return;
  for (const { label, message } of errors) {
    outcome.evaluations.push(
      podSecurityFailure({
        policy,
        actions: ['Deny'],
        rule: labelPath(label),
        message,
        serverMessage: denial.message,
        status: INVALID,
        reads: [labelRead(label)],
      }),
    );
  }
}

function warn(
  message: string,
  serverMessage: string,
  { labels }: NamespacePolicy,
  policy: PolicyIdentity | undefined,
  outcome: PodSecurityOutcome,
  missing: readonly string[] = [],
): void {
  if (missing.length === 0 && serverMessage === message) outcome.warnings.push(message);
  if (policy === undefined) return;
  const label = labels.enforce ?? labels.audit ?? labels.warn ?? levelLabel('enforce');
  const warned: Evaluation = podSecurityFailure({
    policy,
    actions: ['Warn'],
    rule: labelPath(label),
    message,
    serverMessage,
    status: FORBIDDEN,
    reads: [labelRead(label)],
  });
  outcome.evaluations.push(missing.length === 0 ? warned : { ...warned, result: 'unknown', missing });
}

function labelRead(label: string): Read {
  return { root: 'object', path: labelPath(label), found: true };
}

/** Undefined if the labels set no policy, or only the defaults. */
function exemptionWarning(
  name: string,
  { policy }: NamespacePolicy,
  labels: ReadonlySet<string>,
  { defaults }: PodSecuritySettings,
): string | undefined {
  const modes: readonly PodSecurityMode[] = ['enforce', 'audit', 'warn'];
  if (isFullyPrivileged(policy) || modes.every((mode) => isEquivalent(policy[mode], defaults[mode]))) return undefined;
  const set = modes.filter(
    (mode) =>
      policy[mode].level !== 'privileged' &&
      POLICY_LABELS.some((label) => label.startsWith(levelLabel(mode)) && labels.has(label)),
  );
  const list = set.map((mode) => `${mode}=${formatLevelVersion(policy[mode])}`).join(', ');
  return `namespace "${name}" is exempt from Pod Security, and the policy (${list}) will be ignored`;
}
