// Archives of charts in a folder, by digest; a file that is not what its name says is not used.
import { createHash } from 'node:crypto';
import { isExactVersion } from '../../render/engine/version-constraint.ts';
import { type ChartReference, chartKey } from '../../render/sources/chart-reference.ts';
import { CacheFiles } from '../cache/cache-folder.ts';
import { digestOf } from './chart-client.ts';
import type { FoundArchive, KnownArchives } from './found-archive.ts';

const DIGEST = /^sha256:([0-9a-f]{64})$/;

/** Without a folder it remembers nothing. */
export class ChartCache implements KnownArchives {
  readonly #files: CacheFiles;

  /** `root`: top of what is checked. Throws WorkspaceError as `cacheFolder` does. */
  constructor(folder: string | undefined, root: string) {
    this.#files = new CacheFiles(folder, root);
  }

  read(digest: string): Uint8Array | undefined {
    const [, hex] = DIGEST.exec(digest) ?? [];
    const bytes = hex === undefined ? undefined : this.#files.read(`${hex}.tgz`);
    return bytes !== undefined && digestOf(bytes) === digest ? bytes : undefined;
  }

  /** A version is published once, and a digest is one archive; what a constraint chooses changes with time. */
  find(reference: ChartReference): FoundArchive | undefined {
    if (!isLasting(reference)) return undefined;
    const entry = this.#entry(reference);
    const archive = entry && this.read(entry.digest);
    return archive === undefined || entry === undefined ? undefined : { archive, ...entry };
  }

  /** What cannot be written is fetched again the next time. */
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
  return `${createHash('sha256').update(chartKey(reference)).digest('hex')}.json`;
}
