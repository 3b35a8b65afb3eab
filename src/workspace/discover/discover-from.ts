// Discovers the files of one commit from those of another: lists, selects and reads only the differences.

import { MAXIMUM_FILES, MAXIMUM_TOTAL_BYTES } from '../files/limits.ts';
import type { FileChange, ObjectId } from '../git/git-output.ts';
import { chooseFiles, type DiscoverOptions, type Discovery, discover, readFiles } from './discover.ts';
import { comparePaths, listEntry } from './list-files.ts';

/** Same result as `discover` of the commit with the options of `known`. Unchanged files are reused from `known`. */
export async function discoverFrom(
  known: Discovery,
  options: DiscoverOptions & { readonly commit: ObjectId },
): Promise<Discovery> {
  const { sweep, repository } = known;
  // A path of the command line may be a folder in one commit and a file in the other.
  if (sweep === undefined || repository === undefined || !sweep.isWhole) return discover({ ...options, known });
  const changes = await repository.changedFiles(sweep.commit, options.commit);
  const changed = new Set(changes.map(({ path }) => path));
  const tree = await repository.listTreeFrom(sweep.commit, options.commit);
  const listed = tree.filter(({ path }) => changed.has(path)).map(listEntry);
  const { wanted, notRead } = chooseFiles(listed, sweep.selection);
  const bytes = wanted.reduce((sum, { listed: { blob } }) => sum + (blob?.size ?? 0), sweep.bytes);
  // The limits depend on all files, and two names that are not UTF-8 may look equal.
  const needsAll =
    known.files.length + wanted.length >= MAXIMUM_FILES ||
    bytes >= MAXIMUM_TOTAL_BYTES ||
    changes.some(({ nameIsUtf8 }) => !nameIsUtf8);
  if (needsAll) return discover({ ...options, known });
  const { files, failed, isLarge } = await readFiles(known.root, repository, wanted);
  return {
    root: known.root,
    repository,
    files: [...known.files.filter(({ file }) => !changed.has(file.path)), ...files].sort((a, b) =>
      comparePaths(a.file.path, b.file.path),
    ),
    notRead: [...known.notRead.filter(({ path }) => !changed.has(path)), ...notRead, ...failed].sort((a, b) =>
      comparePaths(a.path, b.path),
    ),
    paths: changedPaths(known.paths, changes),
    isLarge: known.isLarge || isLarge,
  };
}

/** Returns the same set if no path was added or removed. */
function changedPaths(paths: ReadonlySet<string>, changes: readonly FileChange[]): ReadonlySet<string> {
  if (changes.every(({ from, to }) => from !== undefined && to !== undefined)) return paths;
  const changed = new Set(paths);
  for (const { path, to } of changes) {
    if (to === undefined) changed.delete(path);
    else changed.add(path);
  }
  return changed;
}
