// All checks that a level has in a version, asked of one Pod (pod-security-admission `policy/registry.go`).
import { compareUtf8 } from '../../source/json.ts';
import type { KubernetesVersion } from '../version.ts';
import type { PodSecurityCheck, VersionedCheck, Violation } from './check.ts';
import { POD_SECURITY_CHECKS } from './check-table.ts';
import type { PodSecurityLevelVersion } from './level-version.ts';
import type { CheckedPod } from './pod.ts';

/** What one check said; allowed if it has no violation. */
export interface PodSecurityResult {
  readonly check: PodSecurityCheck;
  readonly violation: Violation | undefined;
}

/**
 * Baseline checks first, then restricted ones, each by their IDs; none for `privileged`. A policy newer than `server`
 * means the server's own version, as a server knows no later check.
 */
export function evaluatePod(
  { level, version }: PodSecurityLevelVersion,
  pod: CheckedPod,
  server?: KubernetesVersion,
): readonly PodSecurityResult[] {
  if (level === 'privileged') return [];
  const minor = Math.min(version.minor, server?.minor ?? Number.POSITIVE_INFINITY);
  return checksOf(level, minor).map(({ check, versioned }) => ({ check, violation: versioned.check(pod, server) }));
}

interface SelectedCheck {
  readonly check: PodSecurityCheck;
  readonly versioned: VersionedCheck;
}

function checksOf(level: 'baseline' | 'restricted', minor: number): readonly SelectedCheck[] {
  const selected: SelectedCheck[] = [];
  for (const check of ORDERED_CHECKS) {
    if (level === 'baseline' && check.level === 'restricted') continue;
    const versioned = checkAtVersion(check, minor);
    if (versioned !== undefined) selected.push({ check, versioned });
  }
  const overridden = new Set(selected.flatMap(({ versioned }) => versioned.overrides ?? []));
  return selected.filter(({ check }) => !overridden.has(check.id));
}

/** The revision of a check that a version of the policy has; undefined where it has none yet. */
export function checkAtVersion(check: PodSecurityCheck, minor: number): VersionedCheck | undefined {
  return check.versions.findLast(({ minimumMinor }) => minimumMinor <= minor);
}

const ORDERED_CHECKS = [...POD_SECURITY_CHECKS].sort(
  (one, other) => compareUtf8(one.level, other.level) || compareUtf8(one.id, other.id),
);

/** `AggregateCheckResult.ForbiddenReason`: `host namespaces, privileged`; empty if everything is allowed. */
export function forbiddenReason(results: readonly PodSecurityResult[]): string {
  return violationsOf(results)
    .map(({ reason }) => reason)
    .join(', ');
}

/** `AggregateCheckResult.ForbiddenDetail`: `host namespaces (hostNetwork=true), privileged (container "a" must not …)`. */
export function forbiddenDetail(results: readonly PodSecurityResult[]): string {
  return violationsOf(results).map(violationText).join(', ');
}

/** `host namespaces (hostNetwork=true)`. */
export function violationText({ reason, detail }: Violation): string {
  return detail === '' ? reason : `${reason} (${detail})`;
}

export function violationsOf(results: readonly PodSecurityResult[]): readonly Violation[] {
  return results.flatMap(({ violation }) => violation ?? []);
}
