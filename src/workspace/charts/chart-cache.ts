// Caches chart archives in a folder by digest; ignores files that do not match their digest.
import { createHash } from 'node:crypto';
import { isExactVersion } from '../../render/engine/version-constraint.ts';
import { type ChartReference, remoteKey } from '../../render/sources/remote/remote.ts';
import { CacheFiles } from '../cache/cache-folder.ts';
import { digestOf } from '../network/host-client.ts';
import type { FoundArchive, KnownArchives } from './found-archive.ts';

const DIGEST = /^sha256:([0-9a-f]{64})$/;

/** Without a folder, nothing is cached. */
export class ChartCache implements KnownArchives {
  readonly #files: CacheFiles;

  /** `root`: root of the checked repository. Throws WorkspaceError like `cacheFolder`. */
  constructor(folder: string | undefined, root: string) {
    this.#files = new CacheFiles(folder, root);
  }

  read(digest: string): Uint8Array | undefined {
    const [, hex] = DIGEST.exec(digest) ?? [];
    const bytes = hex === undefined ? undefined : this.#files.read(`${hex}.tgz`);
    return bytes !== undefined && digestOf(bytes) === digest ? bytes : undefined;
  }

  /** Exact versions and digests always give the same archive. The result of a version constraint changes over time and is not cached. */
  find(reference: ChartReference): FoundArchive | undefined {
    if (!isLasting(reference)) return undefined;
    const entry = this.#entry(reference);
    const archive = entry && this.read(entry.digest);
    return archive === undefined || entry === undefined ? undefined : { archive, ...entry };
  }

  /** A write error is ignored; the archive is then fetched again. */
  add(reference: ChartReference, { archive, version, digest }: FoundArchive): void {
    const [, hex] = DIGEST.exec(digest) ?? [];
    if (hex === undefined) return;
    this.#files.write(`${hex}.tgz`, archive);
    if (isLasting(reference)) this.#files.write(nameOf(reference), JSON.stringify({ version, digest }));
  }

  #entry(reference: ChartReference): { readonly version: string; readonly digest: string } | undefined {
    const bytes = this.#files.read(nameOf(reference));
    if (bytes === undefined) return undefined;
    try {
      const { version, digest } = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
      return typeof version === 'string' && typeof digest === 'string' ? { version, digest } : undefined;
    } catch {
      return undefined;
    }
  }
}

function isLasting({ version, digest }: ChartReference): boolean {
  return digest !== undefined || isExactVersion(version);
}

function nameOf(reference: ChartReference): string {
  return `${createHash('sha256').update(remoteKey(reference)).digest('hex')}.json`;
}
