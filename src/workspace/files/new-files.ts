// Creates new files inside one folder; never overwrites a file or writes through a link.
import { lstat, mkdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { reasonOf, systemErrorCode, WorkspaceError } from '../workspace-error.ts';

/** True for any entry with this name, including a dangling link. */
export async function isThere(root: string, path: string): Promise<boolean> {
  try {
    await lstat(join(root, path));
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false;
    return true;
  }
}

/** `root` is a real path. Throws WorkspaceError if the file exists, its folder leads outside the root, or it cannot be written. */
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

/** Checks each folder for links before creating the next one in it. */
async function makeFolder(root: string, folder: string): Promise<void> {
  let made = root;
  for (const step of relative(root, folder).split(sep)) {
    if (step === '') continue;
    made = join(made, step);
    await mkdir(made).catch((error: unknown) => {
      if (systemErrorCode(error) !== 'EEXIST') throw error;
    });
    if ((await realpath(made)) !== made) {
      throw new WorkspaceError(
        'unwritable',
        `\`${relative(root, made)}\` is a symbolic link, and files are not written through links`,
      );
    }
  }
}
