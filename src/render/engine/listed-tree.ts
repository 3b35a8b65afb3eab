// Restricts a file tree to listed paths, because untracked files are not part of a repository.
import type { FileTree } from '../../source/tree/file-tree.ts';

export interface ListedTree extends FileTree {
  /** All files and links. */
  readonly paths: ReadonlySet<string>;
}

export function isListed(tree: FileTree): tree is ListedTree {
  return 'paths' in tree;
}

/** `paths`: all files and links, from the top. Folders are those that contain one of them. */
export function listedTree(tree: FileTree, paths: ReadonlySet<string>): ListedTree {
  let names: Map<string, Set<string>> | undefined;
  const namesIn = (folder: string): ReadonlySet<string> | undefined => {
    names ??= folderNames(paths);
    return names.get(folder);
  };
  return {
    paths,
    kind: (path) => {
      if (paths.has(path)) return tree.kind(path);
      return namesIn(path) === undefined ? undefined : 'folder';
    },
    read: (path) => (paths.has(path) ? tree.read(path) : undefined),
    target: (path) => (paths.has(path) ? tree.target(path) : undefined),
    list: (path) => [...(namesIn(path) ?? [])],
  };
}

function folderNames(paths: ReadonlySet<string>): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>([['', new Set()]]);
  for (const path of paths) {
    for (let rest = path; rest !== ''; ) {
      const slash = rest.lastIndexOf('/');
      const folder = rest.slice(0, Math.max(slash, 0));
      const known = names.get(folder);
      const name = rest.slice(slash + 1);
      if (known?.has(name) === true) break;
      if (known === undefined) names.set(folder, new Set([name]));
      else known.add(name);
      rest = folder;
    }
  }
  return names;
}
