// A folder that is kept between runs. Its contents are trusted, so it must be outside the checked repository.
import { mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { reasonOf, WorkspaceError } from '../workspace-error.ts';

/**
 * Real path of the folder, which is created if missing. Throws WorkspaceError for a folder inside `root`, the root of
 * the checked repository.
 */
export function cacheFolder(folder: string, root: string): string {
  let real: string;
  try {
    mkdirSync(folder, { recursive: true });
    real = realpathSync(folder);
  } catch (cause) {
    throw new WorkspaceError('unwritable', `the folder \`${folder}\` cannot be created: ${reasonOf(cause)}`, { cause });
  }
  const below = path.relative(realpathSync(root), real);
  if (below === '..' || below.startsWith(`..${path.sep}`) || path.isAbsolute(below)) return real;
  throw new WorkspaceError('cache-in-repository', `the cache \`${folder}\` is inside the checked repository`, {
    hint: 'choose a folder outside the repository: a change could write to this one',
  });
}

/** The files of a cache folder; without a folder, nothing is cached. Files may be missing or damaged. */
export class CacheFiles {
  readonly #folder: string | undefined;

  /** Throws WorkspaceError like `cacheFolder`. */
  constructor(folder: string | undefined, root: string) {
    this.#folder = folder === undefined ? undefined : cacheFolder(folder, root);
  }

  read(name: string): Buffer | undefined {
    if (this.#folder === undefined) return undefined;
    try {
      return readFileSync(path.join(this.#folder, name));
    } catch {
      return undefined;
    }
  }

  /** Writes atomically. */
  write(name: string, content: Uint8Array | string): void {
    if (this.#folder === undefined) return;
    const file = path.join(this.#folder, name);
    try {
      // Another run may read the file at the same time.
      writeFileSync(`${file}.${process.pid}`, content);
      renameSync(`${file}.${process.pid}`, file);
    } catch {
      // The cache only saves time.
    }
  }
}
