// Which files and folders the paths of a command line name, below the root of a repository.
import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { Restriction } from '../../settings/selection.ts';
import { systemErrorCode, WorkspaceError } from '../workspace-error.ts';

/**
 * Sorts paths given on the command line, relative to `directory`, into files and folders below `root`. `isFolder` says of
 * a path from the root what it is where the file system cannot be asked (a commit); by default the file system is.
 * Without paths the sweep is `directory` itself.
 */
export function restrict(
  root: string,
  directory: string,
  paths: readonly string[],
  isFolder: (path: string) => boolean | undefined = (file) => isFolderOnDisk(path.join(root, file)),
): Restriction {
  const files = new Set<string>();
  const folders: string[] = [];
  for (const given of paths.length === 0 ? ['.'] : paths) {
    const relative = fromRoot(root, path.resolve(directory, given), given);
    const folder = relative === '' || isFolder(relative);
    if (folder === undefined) throw notFound(given);
    if (folder) folders.push(relative);
    else files.add(relative);
  }
  return { files, folders };
}

/** Links in the folders above the last name are followed, so that `/tmp/x` and `/private/tmp/x` are one place. */
function fromRoot(root: string, absolute: string, given: string): string {
  const relative = path.relative(root, path.join(realFolder(path.dirname(absolute)), path.basename(absolute)));
  if (relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative)) {
    throw new WorkspaceError('path-outside-root', `\`${given}\` lies outside \`${root}\``, {
      hint: 'give paths inside one repository, or start in the folder that holds them',
    });
  }
  return relative.split(path.sep).join('/');
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

function isFolderOnDisk(absolute: string): boolean | undefined {
  try {
    return lstatSync(absolute).isDirectory();
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT' || systemErrorCode(error) === 'ENOTDIR') return undefined;
    throw new WorkspaceError('unreadable', `cannot read \`${absolute}\``, { cause: error });
  }
}

function notFound(given: string): WorkspaceError {
  return new WorkspaceError('path-not-found', `there is no file or folder \`${given}\``, {
    hint: 'paths are relative to the working directory',
  });
}
