// A folder that is kept from run to run: what lies in it is believed, so a change must not be able to write it.
import { mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { reasonOf, WorkspaceError } from './workspace-error.ts';

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
