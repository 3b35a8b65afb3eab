// A folder that is kept from run to run: what lies in it is believed, so a change must not be able to write it.
import { mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { reasonOf, WorkspaceError } from '../workspace-error.ts';

/** Its real path; it is made if it is not there. Throws WorkspaceError for one below `root`, the top of what is checked. */
export function cacheFolder(folder: string, root: string): string {
  let real: string;
  try {
    mkdirSync(folder, { recursive: true });
    real = realpathSync(folder);
  } catch (cause) {
    throw new WorkspaceError('unwritable', `the folder \`${folder}\` cannot be made: ${reasonOf(cause)}`, { cause });
  }
  const below = path.relative(realpathSync(root), real);
  if (below === '..' || below.startsWith(`..${path.sep}`) || path.isAbsolute(below)) return real;
  throw new WorkspaceError('cache-in-repository', `the cache \`${folder}\` lies in the repository that is checked`, {
    hint: 'take a folder outside it: what a change can write must not be believed',
  });
}

/** The files of such a folder; without a folder it remembers nothing. What lies there may be missing or damaged. */
export class CacheFiles {
  readonly #folder: string | undefined;

  /** Throws WorkspaceError as `cacheFolder` does. */
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

  /** Whole or not at all. */
  write(name: string, content: Uint8Array | string): void {
    if (this.#folder === undefined) return;
    const file = path.join(this.#folder, name);
    try {
      // Another run may read it at the same time.
      writeFileSync(`${file}.${process.pid}`, content);
      renameSync(`${file}.${process.pid}`, file);
    } catch {
      // Nothing is lost but time.
    }
  }
}
