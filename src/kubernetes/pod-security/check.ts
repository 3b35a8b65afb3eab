// Types and messages of a Pod Security check (pod-security-admission `policy/checks.go`).

import type { JsonValue } from '../../source/json/json.ts';
import { compareUtf8 } from '../../source/json/json.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { KubernetesVersion } from '../api/version.ts';
import type { PodSecurityLevel } from './level-version.ts';
import type { CheckedPod } from './pod.ts';

export interface PodSecurityCheck {
  /** Upstream's ID, for example `capabilities_baseline`. Messages are sorted by ID within a level. */
  readonly id: string;
  readonly level: Exclude<PodSecurityLevel, 'privileged'>;
  /** Oldest first, never empty. */
  readonly versions: readonly VersionedCheck[];
}

export interface VersionedCheck {
  /** The first minor version of the policy with this revision. */
  readonly minimumMinor: number;
  /** Baseline checks that this stricter check replaces at the level `restricted`. */
  readonly overrides?: readonly string[];
  /** `server`: the release of the API server, if known. Some messages and fields are newer than the policy versions. */
  check(pod: CheckedPod, server?: KubernetesVersion): Violation | undefined;
}

/** The violation of a check; undefined for a Pod that passes. */
export interface Violation {
  /** `ForbiddenReason`: `host namespaces`. */
  readonly reason: string;
  /** `ForbiddenDetail`: `hostNetwork=true`; may be empty. */
  readonly detail: string;
  /** In the order of the detail; never empty. */
  readonly errors: readonly PodSecurityError[];
}

export interface PodSecurityError {
  /** `required`: the field is missing. */
  readonly type: 'forbidden' | 'required';
  /** From the root of the Pod: `spec`, `containers`, 0, `securityContext`, `privileged`. */
  readonly path: FieldPath;
  /** Undefined if the error has no value; several values are sorted and distinct. */
  readonly value: JsonValue | undefined;
  /** The invalid entries of a list, if the list is only partly invalid. */
  readonly entries?: readonly FieldPath[];
  /** Omitted from the detail while other fields have an invalid value. */
  readonly isUnsaid?: true;
}

export function forbiddenField(path: FieldPath, value?: JsonValue, entries?: readonly FieldPath[]): PodSecurityError {
  return { type: 'forbidden', path, value, ...(entries && { entries }) };
}

export function requiredField(path: FieldPath): PodSecurityError {
  return { type: 'required', path, value: undefined };
}

/** `"a", "b"`, without escaping. */
export function joinQuoted(names: readonly string[]): string {
  return names.length === 0 ? '' : `"${names.join('", "')}"`;
}

export function plural(one: string, many: string, count: number): string {
  return count === 1 ? one : many;
}

/** Distinct values, sorted by UTF-8 bytes like Go's `sets.String.List`. */
export function sortedSet(values: Iterable<string>): readonly string[] {
  return [...new Set(values)].sort(compareUtf8);
}

/** `container "a"`, `containers "a", "b"`; repeated names are listed twice. */
export function containerList(names: readonly string[]): string {
  return `${plural('container', 'containers', names.length)} ${joinQuoted(names)}`;
}

/** `pod and container "a"`: the pod first. */
export function settersText(isPod: boolean, containers: readonly string[]): string {
  const setters = isPod ? ['pod'] : [];
  if (containers.length > 0) setters.push(containerList(containers));
  return setters.join(' and ');
}
