// Finds the folders of clusters from folders that contain objects which a cluster can have only once.

/** An object that a cluster can have only once, and the folder that it comes from. */
export interface Head {
  readonly key: string;
  readonly folder: string;
}

interface ClusterFolders {
  /** The innermost folders. Folders with the same last name are one cluster if they share no key. */
  readonly leaves: readonly { readonly name: string; readonly paths: readonly string[] }[];
  /** For every folder that was found, the clusters in it. */
  readonly namesByFolder: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * `known`: folders of clusters, independent of the heads. `sameNames`: how to treat folders that have the same last name and share a key.
 */
export function clusterFolders(
  heads: readonly Head[],
  known: ReadonlySet<string>,
  sameNames: 'apart' | 'together' = 'apart',
): ClusterFolders {
  const byKey = new Map<string, Set<string>>();
  for (const { key, folder } of heads) {
    const same = byKey.get(key);
    if (same === undefined) byKey.set(key, new Set([folder]));
    else same.add(folder);
  }
  const found = new Set(known);
  for (const folders of byKey.values()) {
    if (folders.size < 2) continue;
    const paths = [...folders].map((folder) => (folder === '.' ? [] : folder.split('/')));
    for (const folder of branches(paths, 0)) found.add(folder);
  }
  const inner = new Set([...found].flatMap(foldersAbove));
  const leaves = [...found].filter((folder) => !inner.has(folder)).sort();
  const names =
    sameNames === 'together' ? new Map(leaves.map((leaf) => [leaf, lastName(leaf)])) : namesOfLeaves(leaves, byKey);
  const namesByFolder = new Map<string, Set<string>>([...found].map((folder) => [folder, new Set<string>()]));
  for (const [leaf, name] of names) {
    for (const folder of [leaf, ...foldersAbove(leaf)]) namesByFolder.get(folder)?.add(name);
  }
  const byName = new Map<string, string[]>();
  for (const [leaf, name] of names) byName.set(name, [...(byName.get(name) ?? []), leaf]);
  return { leaves: [...byName].map(([name, paths]) => ({ name, paths })), namesByFolder };
}

/** The folders at which the paths diverge. If several paths share such a folder, also the folders at which those diverge. */
function branches(paths: readonly (readonly string[])[], depth: number): readonly string[] {
  let at = depth;
  const [first] = paths;
  if (first === undefined || paths.length < 2) return [];
  while (at < first.length && paths.every((path) => path[at] === first[at])) at += 1;
  const groups = new Map<string, (readonly string[])[]>();
  for (const path of paths) {
    const step = path[at];
    // A folder that contains the others is not a branch itself.
    if (step === undefined) continue;
    const same = groups.get(step);
    if (same === undefined) groups.set(step, [path]);
    else same.push(path);
  }
  if (groups.size < 2) return groups.size === 1 && at < MAXIMUM_DEPTH ? branches([...groups.values()].flat(), at) : [];
  return [...groups].flatMap(([step, group]) => {
    const folder = [...first.slice(0, at), step].join('/');
    const deeper = at < MAXIMUM_DEPTH ? branches(group, at + 1) : [];
    return deeper.length === 0 ? [folder] : [folder, ...deeper];
  });
}

/** Deeper than any real layout of clusters. */
const MAXIMUM_DEPTH = 20;

/** Folders with the same last name are one cluster, unless they share a key. */
function namesOfLeaves(
  leaves: readonly string[],
  byKey: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyMap<string, string> {
  const isLeaf = new Set(leaves);
  const keysOf = new Map<string, Set<string>>(leaves.map((leaf) => [leaf, new Set<string>()]));
  for (const [key, folders] of byKey) {
    for (const folder of folders) {
      for (const above of [folder, ...foldersAbove(folder)]) if (isLeaf.has(above)) keysOf.get(above)?.add(key);
    }
  }
  const byLast = new Map<string, string[]>();
  for (const leaf of leaves) {
    const last = lastName(leaf);
    byLast.set(last, [...(byLast.get(last) ?? []), leaf]);
  }
  const names = new Map<string, string>();
  for (const [last, same] of byLast) {
    const keys = same.map((leaf) => [...(keysOf.get(leaf) ?? [])]);
    const isOne = new Set(keys.flat()).size === keys.flat().length;
    for (const leaf of same) names.set(leaf, same.length === 1 || isOne ? last : leaf.replaceAll('/', '-'));
  }
  return names;
}

function lastName(folder: string): string {
  return folder === '.' ? 'default' : folder.slice(folder.lastIndexOf('/') + 1);
}

function foldersAbove(folder: string): readonly string[] {
  const steps = folder.split('/');
  return steps.slice(1).map((_, index) => steps.slice(0, index + 1).join('/'));
}
