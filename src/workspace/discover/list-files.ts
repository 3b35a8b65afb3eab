// Lists all files of a checkout, a commit or a plain folder with their types, without reading them.
import { type Dirent, readdirSync } from 'node:fs';
import path from 'node:path';
import type { SkipReason } from '../../inventory/skip-reason.ts';
import { MAXIMUM_FOLDER_DEPTH, MAXIMUM_FOLDER_ENTRIES } from '../files/limits.ts';
import type { ObjectId, TreeEntry } from '../git/git-output.ts';
import type { GitRepository } from '../git/git-repository.ts';
import { systemErrorCode } from '../workspace-error.ts';

export interface ListedFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** Set for entries that cannot be read as a file: links, submodules, folders that were not entered … */
  readonly unreadable?: SkipReason;
  /** Known for the files of a commit. */
  readonly blob?: { readonly id: ObjectId; readonly size: number };
}

const REGULAR_MODES = new Set(['100644', '100755', '100664']);

/** The tracked files of the work tree. With `withUntracked`, also the names that Git neither tracks nor ignores. */
export async function listWorkTree(
  repository: GitRepository,
  withUntracked: boolean,
): Promise<{ readonly tracked: readonly ListedFile[]; readonly untracked: readonly string[] }> {
  const { tracked, untracked } = withUntracked
    ? await repository.indexedFiles()
    : { tracked: await repository.trackedFiles(), untracked: [] };
  return { tracked: tracked.map(listed), untracked };
}

export async function listCommit(repository: GitRepository, commit: ObjectId): Promise<ListedFile[]> {
  return (await repository.listTree(commit)).map(listEntry);
}

/** An entry of a listing of a commit that includes sizes. */
export function listEntry(entry: TreeEntry): ListedFile {
  const file = listed(entry);
  return file.unreadable === undefined ? { ...file, blob: { id: entry.id, size: entry.size ?? 0 } } : file;
}

/** By UTF-16 code units, which gives the same order on every machine. */
export function comparePaths(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * The files below `start` (relative to `root`; empty for everything). Symbolic links are listed but not followed, and
 * `.git` folders are skipped. Stops at 1,000,000 names or 100 levels, and reports that.
 */
export function listFolder(root: string, start: string): ListedFile[] {
  const files: ListedFile[] = [];
  const pending = [{ folder: start, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { folder, depth } = next;
    const stop = limitReached(files.length, depth) ?? enter(root, folder, depth, files, pending);
    if (stop !== undefined) files.push({ path: folder === '' ? '.' : folder, unreadable: stop });
    if (stop === 'too-many-files') break;
  }
  return files;
}

function enter(
  root: string,
  folder: string,
  depth: number,
  files: ListedFile[],
  pending: { folder: string; depth: number }[],
): SkipReason | undefined {
  let entries: Dirent[];
  try {
    entries = readdirSync(path.join(root, folder), { withFileTypes: true });
  } catch (error) {
    return systemErrorCode(error) === 'ENOENT' ? 'missing-file' : 'unreadable-file';
  }
  for (const entry of entries) {
    const entryPath = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (!entry.isDirectory()) files.push(ofDirent(entryPath, entry));
    else if (entry.name !== '.git') pending.push({ folder: entryPath, depth: depth + 1 });
  }
  return undefined;
}

function limitReached(files: number, depth: number): SkipReason | undefined {
  if (files > MAXIMUM_FOLDER_ENTRIES) return 'too-many-files';
  return depth > MAXIMUM_FOLDER_DEPTH ? 'folder-too-deep' : undefined;
}

function ofDirent(entryPath: string, entry: Dirent): ListedFile {
  if (entry.isFile()) return { path: entryPath };
  return { path: entryPath, unreadable: entry.isSymbolicLink() ? 'symbolic-link' : 'special-file' };
}

function listed(entry: TreeEntry): ListedFile {
  const unreadable = unreadableReason(entry);
  return unreadable === undefined ? { path: entry.path } : { path: entry.path, unreadable };
}

function unreadableReason({ mode, nameIsUtf8 }: TreeEntry): SkipReason | undefined {
  if (mode === '120000') return 'symbolic-link';
  if (mode === '160000') return 'submodule';
  if (!REGULAR_MODES.has(mode)) return 'special-file';
  return nameIsUtf8 ? undefined : 'name-not-utf8';
}
