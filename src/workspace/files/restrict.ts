// Resolves command-line paths to files and folders below the root of a repository.
import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { Restriction } from '../../settings/selection.ts';
import { systemErrorCode, WorkspaceError } from '../workspace-error.ts';

/**
 * Sorts command-line paths, relative to `directory`, into files and folders below `root`. `isFolder` classifies a path relative to the root
 * if it is not in the file system (a commit); by default, the file system is used. Without paths, the result is `directory` itself.
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

/** Follows links in the folders above the last name, so that `/tmp/x` and `/private/tmp/x` are equal. */
function fromRoot(root: string, absolute: string, given: string): string {
  const relative = path.relative(root, path.join(realFolder(path.dirname(absolute)), path.basename(absolute)));
  if (relative === '..' || relative.startsWith(`..${path.sep}`) || path.isAbsolute(relative)) {
    throw new WorkspaceError('path-outside-root', `\`${given}\` is outside \`${root}\``, {
      hint: 'give paths inside one repository, or start in the folder that contains them',
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
