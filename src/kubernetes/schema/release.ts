// The Kubernetes releases whose API this project knows, as minor numbers of 1.x.
import table from './resources.generated.json' with { type: 'json' };

/** Minor numbers, ascending: 30 is Kubernetes 1.30. */
export const KNOWN_MINORS: readonly number[] = table.minors;

/** 36 for `1.36`, `v1.36` and `1.36.3`; `undefined` for a text that is no version or a release not in the tables. */
export function releaseMinor(kubernetesVersion: string): number | undefined {
  const match = /^v?1\.(\d{1,3})(?:\.\d{1,6})?$/.exec(kubernetesVersion);
  const minor = Number(match?.[1]);
  return KNOWN_MINORS.includes(minor) ? minor : undefined;
}
