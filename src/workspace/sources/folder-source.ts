// Reads policies from a local folder outside the checked files: a second checkout, or the output of another step.
import { realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { DiscoveredFile } from '../../inventory/discovered-file.ts';
import { listedTree } from '../../render/engine/listed-tree.ts';
import type { FolderSource } from '../../settings/policy-source.ts';
import { comparePaths, listFolder } from '../discover/list-files.ts';
import { FileReader } from '../files/read-file.ts';
import { folderTree } from '../render/folder-tree.ts';
import { reasonOf } from '../workspace-error.ts';
import type { SourceAccess } from './source-access.ts';
import { chooser, readableFile, requireFiles, requireSize, type SourceContent } from './source-content.ts';
import { sourceError } from './source-error.ts';

export interface CheckedPlaces {
  /** Real path of the repository root; folder names are relative to it. */
  readonly root: string;
  /** Each checked state: real path of its root, and all paths below it. */
  readonly places: readonly { readonly root: string; readonly paths: ReadonlySet<string> }[];
}

/** Throws WorkspaceError, also for a folder with files that a change could provide itself. */
export function readFolderSource(
  source: FolderSource,
  checked: CheckedPlaces,
  { maximumUnpackedBytes }: SourceAccess,
): SourceContent {
  const given = path.resolve(checked.root, source.folder);
  const root = realFolder(source, given);
  for (const place of checked.places) {
    requireOutside(source, given, place);
    requireOutside(source, root, place);
  }
  const choose = chooser(source);
  const listed = listFolder(root, '').sort((a, b) => comparePaths(a.path, b.path));
  const reader = new FileReader(root);
  let total = 0;
  const files = listed.flatMap((file): readonly DiscoveredFile[] => {
    const choice = choose(file.path);
    const isFolder =
      file.unreadable === 'too-many-files' ||
      file.unreadable === 'folder-too-deep' ||
      file.unreadable === 'unreadable-file';
    if (choice === 'outside' && !isFolder) return [];
    const result = file.unreadable === undefined ? reader.read(file.path) : { reason: file.unreadable };
    total += 'bytes' in result ? result.bytes : 0;
    requireSize(source, total, maximumUnpackedBytes);
    return [{ file: readableFile(source, file.path, result), selected: choice === 'selected' }];
  });
  requireFiles(source, files);
  const paths = new Set(listed.map((file) => file.path));
  return { name: source.name, version: '', files, paths, tree: listedTree(folderTree(root), paths) };
}

function realFolder(source: FolderSource, folder: string): string {
  try {
    const real = realpathSync(folder);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    throw sourceError(source, 'source-missing', `cannot be read: ${reasonOf(error)}`, {
      hint: 'the folder is relative to the root of the repository; check it out in an earlier step',
    });
  }
  throw sourceError(source, 'source-missing', 'is not a folder');
}

/** Rejects a folder that contains, or is contained in, a path of the repository: a change could then control its content. */
function requireOutside(source: FolderSource, folder: string, { root, paths }: CheckedPlaces['places'][number]): void {
  const relative = path.relative(root, folder).split(path.sep).join('/');
  if (relative === '..' || relative.startsWith('../') || path.isAbsolute(relative)) {
    // The repository itself is inside the folder.
    const back = path.relative(folder, root);
    if (back === '' || (!back.startsWith('..') && !path.isAbsolute(back))) throw inside(source);
    return;
  }
  const steps = folded(relative)
    .split('/')
    .map((_, index, all) => all.slice(0, index + 1).join('/'));
  const below = `${folded(relative)}/`;
  if (relative === '') throw inside(source);
  for (const name of paths) {
    const known = folded(name);
    if (known.startsWith(below) || steps.includes(known)) throw inside(source);
  }
}

/** Some file systems treat names as equal that differ in case or in the encoding of accents. */
function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function inside(source: FolderSource) {
  return sourceError(source, 'source-inside-repository', 'is part of the checked files', {
    hint: 'list files of this repository under `policies`; a source must be a folder outside it, or one that Git does not track',
  });
}
