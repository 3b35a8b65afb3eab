// A folder on this machine that is no part of what is checked: a second checkout, or what another step put there.
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

/** What is checked. */
export interface CheckedPlaces {
  /** Real path of the top of the repository, from which folders are named. */
  readonly root: string;
  /** Each of its states: real path of its top, and every path below it. */
  readonly places: readonly { readonly root: string; readonly paths: ReadonlySet<string> }[];
}

/** Throws WorkspaceError, also for a folder whose files a change may bring itself. */
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
      hint: 'the folder is named from the top of the repository; check it out in a step before this one',
    });
  }
  throw sourceError(source, 'source-missing', 'is no folder');
}

/** A folder with a path of the repository in it, or on the way to it, holds what the change wants it to hold. */
function requireOutside(source: FolderSource, folder: string, { root, paths }: CheckedPlaces['places'][number]): void {
  const relative = path.relative(root, folder).split(path.sep).join('/');
  if (relative === '..' || relative.startsWith('../') || path.isAbsolute(relative)) {
    // The repository inside of the folder is part of it.
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

/** Some file systems take names for the same that differ in case or in how an accent is written. */
function folded(name: string): string {
  return name.normalize('NFC').toLowerCase();
}

function inside(source: FolderSource) {
  return sourceError(source, 'source-inside-repository', 'is part of what is checked', {
    hint: 'name files of this repository in `policies`; a source is a folder outside of it, or one that Git does not track',
  });
}
