// Levels and versions of the Pod Security Standards (pod-security-admission `api/helpers.go`).

export type PodSecurityLevel = 'privileged' | 'baseline' | 'restricted';

/** In the order of upstream's error messages, the least strict first. */
export const POD_SECURITY_LEVELS: readonly PodSecurityLevel[] = ['privileged', 'baseline', 'restricted'];

export interface PodSecurityVersion {
  /** `latest` or `v1.N`; equal texts mean equal versions. */
  readonly text: string;
  /** Infinity for `latest`, which is newer than any other version. */
  readonly minor: number;
}

export interface PodSecurityLevelVersion {
  readonly level: PodSecurityLevel;
  readonly version: PodSecurityVersion;
}

export const LATEST_POD_SECURITY_VERSION: PodSecurityVersion = { text: 'latest', minor: Number.POSITIVE_INFINITY };

/** The limit of `strconv.Atoi` on 64-bit servers. */
const MAX_INT = 9_223_372_036_854_775_807n;

/** Undefined for anything but the three names, which are case-sensitive. */
export function parsePodSecurityLevel(text: string): PodSecurityLevel | undefined {
  return POD_SECURITY_LEVELS.find((level) => level === text);
}

/** `latest`, or `v1.N` without leading zeros; undefined for any other text. */
export function parsePodSecurityVersion(text: string): PodSecurityVersion | undefined {
  if (text === 'latest') return LATEST_POD_SECURITY_VERSION;
  const digits = /^v1\.(\d|[1-9]\d*)$/.exec(text)?.[1];
  if (digits === undefined || digits.length > 19 || BigInt(digits) > MAX_INT) return undefined;
  return { text, minor: Number(digits) };
}

export function podSecurityVersion(minor: number): PodSecurityVersion {
  return { text: `v1.${minor}`, minor };
}

/** `restricted:v1.36`, as in messages and audit annotations. */
export function formatLevelVersion({ level, version }: PodSecurityLevelVersion): string {
  return `${level}:${version.text}`;
}

/** Negative, zero or positive if `one` is less strict than, as strict as or stricter than `other`. */
export function compareLevels(one: PodSecurityLevel, other: PodSecurityLevel): number {
  return POD_SECURITY_LEVELS.indexOf(one) - POD_SECURITY_LEVELS.indexOf(other);
}

/** True if both give the same result for every Pod: `privileged` has no checks in any version. */
export function isEquivalent(one: PodSecurityLevelVersion, other: PodSecurityLevelVersion): boolean {
  if (one.level !== other.level) return false;
  return one.level === 'privileged' || one.version.text === other.version.text;
}
