// Repository-relative paths with `/` on every system: the functions of `node:path` `posix`, usable without Node.
import { trimRight } from '../../go/strings/trim.ts';

/** The last name of a path; trailing slashes are ignored. */
export function baseName(path: string): string {
  const name = trimRight(path, '/');
  return name.slice(name.lastIndexOf('/') + 1);
}

/** The folder of a path; `.` for a file in the root. */
export function folderOf(path: string): string {
  const name = trimRight(path, '/');
  const slash = name.lastIndexOf('/');
  return slash < 0 ? '.' : slash === 0 ? '/' : name.slice(0, slash);
}

/** Every folder above a path, nearest first, ending with `.`. */
export function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    folders.push(folder);
    if (folder === '.' || folder === '/') return folders;
  }
}

/** Joins paths and resolves `.` and `..`. A path that leaves the root starts with `..`; the root is `.`. */
export function joinPaths(...parts: readonly string[]): string {
  return normalizePath(parts.filter((part) => part !== '').join('/'));
}

/** A name that is empty, `.` or `..`. */
const UNNORMAL = /(?:^|\/)\.{0,2}(?:\/|$)/;

/** Removes `.`, empty names, and every `..` except leading ones. An absolute path stays absolute; a final `/` is kept. */
export function normalizePath(path: string): string {
  if (!UNNORMAL.test(path)) return path;
  const isAbsolute = path.startsWith('/');
  const names: string[] = [];
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..' || names.at(-1) === '..' || (names.length === 0 && !isAbsolute)) names.push(name);
    else names.pop();
  }
  const joined = names.join('/');
  const end = path.endsWith('/') && joined !== '' ? '/' : '';
  if (isAbsolute) return `/${joined}${end}`;
  return joined === '' ? (path.endsWith('/') ? './' : '.') : `${joined}${end}`;
}
