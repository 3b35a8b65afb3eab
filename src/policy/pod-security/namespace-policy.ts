// The Pod Security policy that a Namespace's labels set (pod-security-admission `api/helpers.go: PolicyToEvaluate`).

import {
  compareLevels,
  LATEST_POD_SECURITY_VERSION,
  POD_SECURITY_LEVELS,
  parsePodSecurityLevel,
  parsePodSecurityVersion,
} from '../../kubernetes/pod-security/level-version.ts';
import type { Labels } from '../../kubernetes/selector/label-selector.ts';
import { quotedInMessage } from '../../kubernetes/validation/field-error.ts';
import type { FieldPath } from '../../source/node/field-path.ts';
import type { PodSecurityMode, PodSecurityPolicy } from './settings.ts';

export const LABEL_PREFIX = 'pod-security.kubernetes.io/';

/** In the server's order, which is also the order of its errors. */
const MODES: readonly PodSecurityMode[] = ['enforce', 'audit', 'warn'];

export interface LabelError {
  readonly label: string;
  /** The server's text: `metadata.labels[…]: Invalid value: "x": must be …`. */
  readonly message: string;
}

export interface NamespacePolicy {
  readonly policy: PodSecurityPolicy;
  readonly errors: readonly LabelError[];
  /** The label that sets the level of a mode. Undefined if the default applies. */
  readonly labels: Readonly<Record<PodSecurityMode, string | undefined>>;
  /** Modes whose level or version is unknown, with the label that has no value. */
  readonly open: ReadonlyMap<PodSecurityMode, string>;
}

export function levelLabel(mode: PodSecurityMode): string {
  return LABEL_PREFIX + mode;
}

function versionLabel(mode: PodSecurityMode): string {
  return `${LABEL_PREFIX}${mode}-version`;
}

export const POLICY_LABELS: readonly string[] = MODES.flatMap((mode) => [levelLabel(mode), versionLabel(mode)]);

export function labelPath(label: string): FieldPath {
  return ['metadata', 'labels', label];
}

/**
 * Invalid values are errors. Until they are fixed, `enforce` is restricted, and `audit` and `warn` are privileged.
 * Without its own label, `warn` follows a stricter `enforce`. `valueless`: labels without a known value, which are valid.
 */
export function namespacePolicy(
  written: Labels,
  defaults: PodSecurityPolicy,
  valueless: ReadonlySet<string> = NONE,
): NamespacePolicy {
  const labels = valueless.size === 0 ? written : new Map([...written].filter(([key]) => !valueless.has(key)));
  const policy = { ...defaults };
  const errors: LabelError[] = [];
  const setBy: Record<PodSecurityMode, string | undefined> = { enforce: undefined, audit: undefined, warn: undefined };
  for (const mode of MODES) {
    const level = labels.get(levelLabel(mode));
    if (level !== undefined) {
      const parsed = parsePodSecurityLevel(level);
      setBy[mode] = levelLabel(mode);
      policy[mode] = { ...policy[mode], level: parsed ?? (mode === 'enforce' ? 'restricted' : 'privileged') };
      if (parsed === undefined) {
        errors.push(labelError(levelLabel(mode), level, `must be one of ${POD_SECURITY_LEVELS.join(', ')}`));
      }
    }
    const version = labels.get(versionLabel(mode));
    if (version === undefined) continue;
    const parsed = parsePodSecurityVersion(version);
    setBy[mode] ??= versionLabel(mode);
    policy[mode] = { ...policy[mode], version: parsed ?? LATEST_POD_SECURITY_VERSION };
    if (parsed === undefined) errors.push(labelError(versionLabel(mode), version, 'must be "latest" or "v1.x"'));
  }
  const enforced = labels.get(levelLabel('enforce'));
  const isFollowed =
    !labels.has(levelLabel('warn')) &&
    enforced !== undefined &&
    parsePodSecurityLevel(enforced) !== undefined &&
    compareLevels(policy.enforce.level, policy.warn.level) > 0;
  if (isFollowed) {
    const version = labels.has(versionLabel('warn')) ? policy.warn.version : policy.enforce.version;
    policy.warn = { level: policy.enforce.level, version };
    setBy.warn = levelLabel('enforce');
  }
  return { policy, errors, labels: setBy, open: openModes(written, valueless) };
}

const NONE: ReadonlySet<string> = new Set();
const NONE_OPEN: ReadonlyMap<PodSecurityMode, string> = new Map();

function openModes(labels: Labels, valueless: ReadonlySet<string>): ReadonlyMap<PodSecurityMode, string> {
  if (valueless.size === 0) return NONE_OPEN;
  const open = new Map<PodSecurityMode, string>();
  for (const mode of MODES) {
    const label = [levelLabel(mode), versionLabel(mode)].find((each) => valueless.has(each));
    if (label !== undefined) open.set(mode, label);
  }
  const followed = open.get('enforce');
  if (followed !== undefined && !open.has('warn') && !labels.has(levelLabel('warn'))) open.set('warn', followed);
  return open;
}

function labelError(label: string, value: string, detail: string): LabelError {
  return { label, message: `metadata.labels[${label}]: Invalid value: ${quotedInMessage(value)}: ${detail}` };
}

/** True if no mode forbids anything. */
export function isFullyPrivileged(policy: PodSecurityPolicy): boolean {
  return MODES.every((mode) => policy[mode].level === 'privileged');
}
