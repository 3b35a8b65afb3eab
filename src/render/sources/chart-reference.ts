// Charts that are named but not in the repository, and the result of fetching them.
import { trimRight } from '../../go/strings/trim.ts';

export interface ChartReference {
  /** Address of a Helm repository, or the `oci://` address that the chart name is appended to. */
  readonly repository: string;
  readonly name: string;
  /** A version or a constraint; empty means the newest. */
  readonly version: string;
  /** Digest of the OCI manifest: `sha256:…`. */
  readonly digest?: string;
}

export type FetchedChart =
  | {
      /** By path in the chart's folder. */
      readonly files: ReadonlyMap<string, Uint8Array>;
      readonly version: string;
      /** Digest of the archive: `sha256:…`. */
      readonly digest: string;
    }
  | { readonly failure: string };

/** By `chartKey`. */
export type FetchedCharts = ReadonlyMap<string, FetchedChart>;

export function chartKey({ repository, name, version, digest = '' }: ChartReference): string {
  return [trimRight(repository, '/'), name, version, digest].join('\0');
}

/** E.g. `podinfo 6.5.0 of https://example.com/charts`. */
export function chartLabel({ repository, name, version, digest }: ChartReference): string {
  const which = [version, digest].filter((text) => text !== undefined && text !== '').join('@');
  return `${name}${which === '' ? '' : ` ${which}`} of ${repository}`;
}
