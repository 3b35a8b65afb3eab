// What a repository or registry gives for a chart.

export interface FoundArchive {
  readonly archive: Uint8Array;
  readonly version: string;
  /** Of the archive: `sha256:…`, and checked. */
  readonly digest: string;
}

/** Archives that need not be fetched again. */
export interface KnownArchives {
  /** With this digest, which was checked; undefined if there is none. */
  read(digest: string): Uint8Array | undefined;
}

/** The version that is meant among those that there are; undefined if there is none. */
export type VersionChoice = (wanted: string, versions: readonly string[]) => string | undefined;
