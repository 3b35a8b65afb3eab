// Resolves paths in a tree with links followed, and walks the files below a folder.
import { trimRight } from '../../go/strings/trim.ts';
import { folderOf, joinPaths } from '../../source/text/repository-path.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';

export interface PathEntry {
  readonly kind: 'file' | 'folder';
  /** The path after following links; '' is the top. */
  readonly path: string;
}

const MAXIMUM_LINKS = 40;

/** Undefined if nothing exists there, or if a link leads out of the tree. */
export function entryAt(tree: FileTree, path: string): PathEntry | undefined {
  let pending = joinPaths(path).split('/');
  let at = '';
  for (let links = 0; pending.length > 0; ) {
    const [name = '', ...rest] = pending;
    pending = rest;
    if (name === '' || name === '.') continue;
    if (name === '..') return undefined;
    const next = at === '' ? name : `${at}/${name}`;
    const kind = tree.kind(next);
    if (kind === undefined || (kind === 'file' && rest.some((step) => step !== ''))) return undefined;
    if (kind !== 'link') {
      at = next;
      continue;
    }
    const target = tree.target(next);
    if (target === undefined || target.startsWith('/') || ++links > MAXIMUM_LINKS) return undefined;
    pending = [...joinPaths(folderOf(next), target).split('/'), ...rest];
    at = '';
  }
  return { kind: at !== '' && tree.kind(at) === 'file' ? 'file' : 'folder', path: at };
}

/** A path below the top, without `.` and `..`. '' is the top; undefined means outside. */
export function pathInTree(...parts: readonly string[]): string | undefined {
  const path = trimRight(joinPaths(...parts), '/');
  if (path === '.') return '';
  return path === '..' || path.startsWith('../') || path.startsWith('/') ? undefined : path;
}

/** Every path below a folder in the order of Go's `filepath.Walk`: folders come before their content, links are not followed. */
export function* walk(tree: FileTree, folder: string, recurse = true): Generator<string> {
  const names = [...tree.list(folder)].sort();
  for (const name of names) {
    const path = folder === '' ? name : `${folder}/${name}`;
    yield path;
    if (recurse && tree.kind(path) === 'folder') yield* walk(tree, path);
  }
}

export function readText(tree: FileTree, path: string): string | undefined {
  const entry = entryAt(tree, path);
  const bytes = entry?.kind === 'file' ? tree.read(entry.path) : undefined;
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
}
