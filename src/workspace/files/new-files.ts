// Writes files that are not there yet, inside one folder: nothing is overwritten, and no link leads out.
import { lstat, mkdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { reasonOf, systemErrorCode, WorkspaceError } from '../workspace-error.ts';

/** Whether something has this name, be it a link that leads nowhere. */
export async function isThere(root: string, path: string): Promise<boolean> {
  try {
    await lstat(join(root, path));
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false;
    return true;
  }
}

/** `root` is a real path. Throws WorkspaceError if the file is there, its folder leads out of the root, or it cannot be written. */
export async function writeNewFile(root: string, path: string, text: string): Promise<void> {
  const folder = dirname(join(root, path));
  try {
    await makeFolder(root, folder);
    await writeFile(join(root, path), text, { flag: 'wx' });
  } catch (cause) {
    if (cause instanceof WorkspaceError) throw cause;
    throw new WorkspaceError('unwritable', `\`${path}\` cannot be written: ${reasonOf(cause)}`, { cause });
  }
}

/** Each folder is looked at before the next is made in it. */
async function makeFolder(root: string, folder: string): Promise<void> {
  let made = root;
  for (const step of relative(root, folder).split(sep)) {
    if (step === '') continue;
    made = join(made, step);
    await mkdir(made).catch((error: unknown) => {
      if (systemErrorCode(error) !== 'EEXIST') throw error;
    });
    if ((await realpath(made)) !== made) {
      throw new WorkspaceError('unwritable', `\`${relative(root, made)}\` is a link: nothing is written through it`);
    }
  }
}
