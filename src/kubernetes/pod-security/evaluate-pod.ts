// Evaluates all checks of a level and version on one Pod (pod-security-admission `policy/registry.go`).
import type { FieldPath } from '../../source/node/field-path.ts';
import type { KubernetesVersion } from '../api/version.ts';
import type { PodSecurityCheck, Violation } from './check.ts';
import { checksOf } from './checks-of.ts';
import type { PodSecurityLevelVersion } from './level-version.ts';
import type { CheckedPod } from './pod.ts';

/** The result of one check; the Pod passes if there is no violation. */
export interface PodSecurityResult {
  readonly check: PodSecurityCheck;
  readonly violation: Violation | undefined;
  /** The check depends on this field, whose value is unknown. */
  readonly unknown?: FieldPath;
}

/** Thrown by a Pod's object if a check reads a field without a known value. */
export class UnknownPodField {
  readonly path: FieldPath;
  constructor(path: FieldPath) {
    this.path = path;
  }
}

/**
 * Baseline checks first, then restricted ones, each sorted by ID; none for `privileged`. A version newer than `server`
 * is evaluated as the server's version, because the server has no later checks.
 */
export function evaluatePod(
  { level, version }: PodSecurityLevelVersion,
  pod: CheckedPod,
  server?: KubernetesVersion,
): readonly PodSecurityResult[] {
  if (level === 'privileged') return [];
  const minor = Math.min(version.minor, server?.minor ?? Number.POSITIVE_INFINITY);
  return checksOf(level, minor).map(({ check, versioned }) => {
    try {
      return { check, violation: versioned.check(pod, server) };
    } catch (reason) {
      if (!(reason instanceof UnknownPodField)) throw reason;
      return { check, violation: undefined, unknown: reason.path };
    }
  });
}

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
