// A chart that is named but does not lie in the repository, and what somebody fetched for it.
import { trimRight } from '../../go/strings/trim.ts';

export interface ChartReference {
  /** Address of a Helm repository, or `oci://` and what the name is put behind. */
  readonly repository: string;
  readonly name: string;
  /** A version or a constraint; empty: the newest. */
  readonly version: string;
  /** Of an OCI manifest: `sha256:…`. */
  readonly digest?: string;
}

export type FetchedChart =
  | {
      /** By path in the chart's folder. */
      readonly files: ReadonlyMap<string, Uint8Array>;
      readonly version: string;
      /** Of the archive: `sha256:…`. */
      readonly digest: string;
    }
  /** Why it could not be fetched. */
  | { readonly failure: string };

/** By `chartKey`. */
export type FetchedCharts = ReadonlyMap<string, FetchedChart>;

export function chartKey({ repository, name, version, digest = '' }: ChartReference): string {
  return [trimRight(repository, '/'), name, version, digest].join('\0');
}

/** As `podinfo 6.5.0 of https://example.com/charts`. */
export function chartLabel({ repository, name, version, digest }: ChartReference): string {
  const which = [version, digest].filter((text) => text !== undefined && text !== '').join('@');
  return `${name}${which === '' ? '' : ` ${which}`} of ${repository}`;
}
