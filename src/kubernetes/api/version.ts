// Kubernetes releases as numbers: parsing, comparison, and the supported range.

export interface KubernetesVersion {
  readonly major: number;
  readonly minor: number;
}

export const OLDEST_VERSION: KubernetesVersion = { major: 1, minor: 28 };
export const NEWEST_VERSION: KubernetesVersion = { major: 1, minor: 37 };
/** Used if no version is configured: the release whose admission messages were recorded from upstream. */
export const DEFAULT_VERSION: KubernetesVersion = { major: 1, minor: 36 };

/** Reads `1.36`, `v1.36`, `1.36.3` and `v1.36.3-gke.100`; ignores the patch level. Undefined for any other text. */
export function parseKubernetesVersion(text: string): KubernetesVersion | undefined {
  const match = /^v?(\d{1,3})\.(\d{1,3})(?:\.\d{1,6}(?:[-+][0-9A-Za-z.+-]{0,64})?)?$/.exec(text);
  return match ? { major: Number(match[1]), minor: Number(match[2]) } : undefined;
}

/** Negative, zero or positive if `a` is older than, equal to or newer than `b`. */
export function compareVersions(a: KubernetesVersion, b: KubernetesVersion): number {
  return a.major - b.major || a.minor - b.minor;
}

export function isSupportedVersion(version: KubernetesVersion): boolean {
  return compareVersions(version, OLDEST_VERSION) >= 0 && compareVersions(version, NEWEST_VERSION) <= 0;
}

/** `isAtLeast(version, '1.31')`. */
export function isAtLeast(version: KubernetesVersion, release: `1.${number}`): boolean {
  return compareVersions(version, { major: 1, minor: Number(release.slice(2)) }) >= 0;
}

/** The previous release. A server accepts new expressions only if the previous release can compile them. */
export function previousVersion(version: KubernetesVersion): KubernetesVersion {
  return { major: version.major, minor: version.minor - 1 };
}

export function formatVersion(version: KubernetesVersion): string {
  return `${version.major}.${version.minor}`;
}

/** Why a version is unsupported, worded to follow the version; undefined if it is supported. */
export function versionProblem(text: string): string | undefined {
  const version = parseKubernetesVersion(text);
  const range = `${formatVersion(OLDEST_VERSION)} to ${formatVersion(NEWEST_VERSION)}`;
  if (version === undefined) return `is not a Kubernetes version: expected one from ${range}`;
  return isSupportedVersion(version) ? undefined : `is not supported: expected a version from ${range}`;
}
