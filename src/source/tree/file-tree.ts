// The files that a rendering can see: those of one commit or folder, read one by one on demand.

export type EntryKind = 'file' | 'folder' | 'link';

/** Paths start at the top, use `/`, and have no `.` or `..`; the top itself is ''. The engine sees no other files. */
export interface FileTree {
  /** Kind of the entry at a path, without following links; undefined if there is none. */
  readonly kind: (path: string) => EntryKind | undefined;
  /** Content of a file; undefined if it cannot be read. */
  readonly read: (path: string) => Uint8Array | undefined;
  /** Target of a link, as written; undefined if it cannot be read. */
  readonly target: (path: string) => string | undefined;
  /** Names in a folder, in any order. */
  readonly list: (path: string) => readonly string[];
}

/** Equal answers to all queries of a rendering give an equal result. */
export type Question = readonly [about: keyof FileTree, path: string];

export interface TreeContent {
  /** Contents by path; texts are UTF-8. */
  readonly files: ReadonlyMap<string, Uint8Array | string>;
  readonly links?: ReadonlyMap<string, string>;
}

/** A tree over in-memory content. Its folders are those that contain a file or link. */
export function treeOf({ files, links = new Map() }: TreeContent): FileTree {
  const folders = new Map<string, Set<string>>([['', new Set()]]);
  for (const paths of [files, links]) for (const path of paths.keys()) addToFolders(folders, path);
  const encoder = new TextEncoder();
  return {
    kind: (path) => {
      if (files.has(path)) return 'file';
      if (links.has(path)) return 'link';
      return folders.has(path) ? 'folder' : undefined;
    },
    read: (path) => {
      const content = files.get(path);
      return typeof content === 'string' ? encoder.encode(content) : content;
    },
    target: (path) => links.get(path),
    list: (path) => [...(folders.get(path) ?? [])],
  };
}

function addToFolders(folders: Map<string, Set<string>>, path: string): void {
  for (let rest = path; rest !== ''; ) {
    const slash = rest.lastIndexOf('/');
    const folder = rest.slice(0, Math.max(slash, 0));
    const known = folders.get(folder);
    const name = rest.slice(slash + 1);
    if (known === undefined) folders.set(folder, new Set([name]));
    else known.add(name);
    rest = folder;
  }
}
