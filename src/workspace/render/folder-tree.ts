// A folder on disk as the file tree of a rendering: read on demand, with links reported but not followed.
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import type { EntryKind, FileTree } from '../../source/tree/file-tree.ts';
import { MAXIMUM_INPUT_BYTES } from '../files/limits.ts';

/** Opening a link must fail, and opening a FIFO must not block. Both flags are absent on Windows. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** `root` must be a real path. Results are cached; `.git` is hidden. */
export function folderTree(root: string): FileTree {
  const kinds = new Map<string, EntryKind | undefined>();
  const contents = new Map<string, Uint8Array | undefined>();
  const kind = (name: string): EntryKind | undefined => cached(kinds, name, () => kindOnDisk(path.join(root, name)));
  return {
    kind: (name) => (isGitFolder(name) ? undefined : kind(name)),
    read: (name) => cached(contents, name, () => readOnDisk(path.join(root, name))),
    target: (name) => attempt(() => readlinkSync(path.join(root, name))),
    list: (name) => attempt(() => readdirSync(path.join(root, name)))?.filter((entry) => !isGitFolder(entry)) ?? [],
  };
}

function isGitFolder(name: string): boolean {
  return name === '.git' || name.startsWith('.git/') || name.endsWith('/.git') || name.includes('/.git/');
}

function kindOnDisk(file: string): EntryKind | undefined {
  const status = attempt(() => lstatSync(file));
  if (status === undefined) return undefined;
  if (status.isSymbolicLink()) return 'link';
  if (status.isDirectory()) return 'folder';
  return status.isFile() ? 'file' : undefined;
}

function readOnDisk(file: string): Uint8Array | undefined {
  return attempt(() => {
    const descriptor = openSync(file, OPEN_FLAGS);
    try {
      const status = fstatSync(descriptor);
      if (!status.isFile() || status.size > MAXIMUM_INPUT_BYTES) return undefined;
      return readFileSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  });
}

function cached<T>(known: Map<string, T>, key: string, make: () => T): T {
  const found = known.get(key);
  if (found !== undefined || known.has(key)) return found as T;
  const made = make();
  known.set(key, made);
  return made;
}

function attempt<T>(ask: () => T): T | undefined {
  try {
    return ask();
  } catch {
    return undefined;
  }
}
