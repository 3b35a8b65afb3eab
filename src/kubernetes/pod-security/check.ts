// What a check of Pod Security is and what it says (pod-security-admission `policy/checks.go`).

import type { JsonValue } from '../../source/json/json.ts';
import { compareUtf8 } from '../../source/json/json.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { KubernetesVersion } from '../api/version.ts';
import type { PodSecurityLevel } from './level-version.ts';
import type { CheckedPod } from './pod.ts';

export interface PodSecurityCheck {
  /** Upstream's ID: `capabilities_baseline`. Messages follow the order of these within a level. */
  readonly id: string;
  readonly level: Exclude<PodSecurityLevel, 'privileged'>;
  /** Oldest first, never empty. */
  readonly versions: readonly VersionedCheck[];
}

export interface VersionedCheck {
  /** First minor version of the policy that it is for. */
  readonly minimumMinor: number;
  /** Baseline checks that say the same less strictly; `restricted` leaves them out. */
  readonly overrides?: readonly string[];
  /** `server`: the release that asks, if it is known; some words and fields are younger than the versions of the policy. */
  check(pod: CheckedPod, server?: KubernetesVersion): Violation | undefined;
}

/** What a check forbids; undefined stands for a Pod that it allows. */
export interface Violation {
  /** `ForbiddenReason`: `host namespaces`. */
  readonly reason: string;
  /** `ForbiddenDetail`: `hostNetwork=true`; may be empty. */
  readonly detail: string;
  /** In the order in which the detail speaks of them; never empty. */
  readonly errors: readonly PodSecurityError[];
}

export interface PodSecurityError {
  /** `required`: the field is missing. */
  readonly type: 'forbidden' | 'required';
  /** From the root of the Pod: `spec`, `containers`, 0, `securityContext`, `privileged`. */
  readonly path: FieldPath;
  /** Undefined where nothing is said of a value; several values of a list are sorted and each there once. */
  readonly value: JsonValue | undefined;
  /** The entries of a list that are wrong, where it is not wrong as a whole. */
  readonly entries?: readonly FieldPath[];
  /** Wrong too, but the detail does not speak of it as long as something is written wrongly. */
  readonly isUnsaid?: true;
}

export function forbiddenField(path: FieldPath, value?: JsonValue, entries?: readonly FieldPath[]): PodSecurityError {
  return { type: 'forbidden', path, value, ...(entries && { entries }) };
}

export function requiredField(path: FieldPath): PodSecurityError {
  return { type: 'required', path, value: undefined };
}

/** `"a", "b"`, without escapes whatever the names hold. */
export function joinQuoted(names: readonly string[]): string {
  return names.length === 0 ? '' : `"${names.join('", "')}"`;
}

export function plural(one: string, many: string, count: number): string {
  return count === 1 ? one : many;
}

/** Each once, by their UTF-8 bytes as Go's `sets.String.List`. */
export function sortedSet(values: Iterable<string>): readonly string[] {
  return [...new Set(values)].sort(compareUtf8);
}

/** `container "a"`, `containers "a", "b"`; a name that is there twice is said twice. */
export function containerList(names: readonly string[]): string {
  return `${plural('container', 'containers', names.length)} ${joinQuoted(names)}`;
}

/** `pod and container "a"`: who sets something, the pod first. */
export function settersText(isPod: boolean, containers: readonly string[]): string {
  const setters = isPod ? ['pod'] : [];
  if (containers.length > 0) setters.push(containerList(containers));
  return setters.join(' and ');
}
