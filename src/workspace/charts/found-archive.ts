// The archive that a repository or registry returns for a chart.

export interface FoundArchive {
  readonly archive: Uint8Array;
  readonly version: string;
  /** Verified digest of the archive: `sha256:…`. */
  readonly digest: string;
}

/** Archives that are already in the cache. */
export interface KnownArchives {
  /** The archive with this digest, which is verified; undefined if there is none. */
  read(digest: string): Uint8Array | undefined;
}

/** Selects the wanted version from the available ones; undefined if none matches. */
export type VersionChoice = (wanted: string, versions: readonly string[]) => string | undefined;
