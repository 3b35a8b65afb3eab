// Paths of a repository: from its root, with `/` on every system; what `node:path` has as `posix`, without Node.
import { trimRight } from '../../go/strings/trim.ts';

/** The last name of a path, whatever slashes follow it. */
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

/** Every folder that a path lies in, from the nearest up to `.`. */
export function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    folders.push(folder);
    if (folder === '.' || folder === '/') return folders;
  }
}

/** One path after the other with `.` and `..` worked out; what climbs out of the root starts with `..`. The root is `.`. */
export function joinPaths(...parts: readonly string[]): string {
  return normalizePath(parts.filter((part) => part !== '').join('/'));
}

/** A name that is empty, `.` or `..`. */
const UNNORMAL = /(?:^|\/)\.{0,2}(?:\/|$)/;

/** Without `.`, without empty names, and with `..` only in front. An absolute path stays one; a final `/` is kept. */
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
