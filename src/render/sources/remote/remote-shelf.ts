// Adds what was fetched to the engine's file tree: in a separate folder, and at the paths that builds expect.
import { isKustomizationName } from '../../../inventory/kustomize-references.ts';
import { baseName, folderOf, joinPaths } from '../../../source/text/repository-path.ts';
import { type EntryKind, type FileTree, treeOf } from '../../../source/tree/file-tree.ts';
import type { FoundFolder, UnknownPart } from '../controller.ts';
import {
  type BaseReference,
  type ChartReference,
  type Fetched,
  type FetchedRemotes,
  type FetchedTree,
  fetchKindOf,
  type GitReference,
  type Remote,
  type RemoteKind,
  remoteKey,
  remoteLabel,
} from './remote.ts';
import { withReplacedBases } from './remote-bases.ts';
import { parseRepositorySpec } from './repository-spec.ts';

/** Files of the repository with this path are hidden: they would be seen as parts of what was fetched. */
const SHELF = '.preadmit-fetched';

export class RemoteShelf {
  /** The repository plus everything fetched that was requested so far. */
  readonly tree: FileTree;
  /** The same with remote entries of kustomizations as written. */
  readonly written: FileTree;
  readonly #repository: FileTree;
  readonly #remotes: FetchedRemotes;
  readonly #mounts = new Map<string, FileTree>();
  /** Names in folders that lead to mounts. */
  readonly #names = new Map<string, Set<string>>();
  /** True if nothing was fetched. */
  readonly isEmpty: boolean;
  readonly hasBases: boolean;
  readonly #kustomizations = new Map<string, { readonly bytes: Uint8Array; readonly replaced: Uint8Array }>();

  constructor(repository: FileTree, remotes: FetchedRemotes) {
    this.#repository = repository;
    this.#remotes = remotes;
    this.isEmpty = remotes.size === 0;
    this.hasBases = [...remotes.keys()].some((key) => key.startsWith('base\0'));
    this.written = remotes.size === 0 ? repository : this.#mountedTree();
    this.tree = this.hasBases ? this.#withReplaced(this.written) : this.written;
  }

  /** True for a folder of something fetched. */
  static holds(folder: string): boolean {
    return folder.startsWith(`${SHELF}/`);
  }

  /** For a chart that was not fetched, the result contains the reference, so that the caller can fetch it. */
  findChart(reference: ChartReference): FoundFolder | UnknownPart {
    const fetched = this.#remotes.get(remoteKey(reference));
    if (fetched === undefined || !('files' in fetched)) return unknownRemote(reference, fetched);
    const name = baseName(reference.name);
    if (!isFileName(name)) return unknownRemote(reference, { failure: 'its name is not valid' });
    const folder = `${SHELF}/${shortOf(fetched.digest)}/${name}`;
    this.#mount(folder, () => treeOf({ files: fetched.files }));
    const isResolved = fetched.version !== reference.version;
    const what = isResolved ? `resolved to ${fetched.version}` : 'was fetched';
    return { folder, assumes: `${remoteLabel(reference)} ${what} (${fetched.digest})` };
  }

  /** Also puts the chart at the path that a build expects. */
  mountChart(reference: ChartReference, folder: string): FoundFolder | UnknownPart {
    const found = this.findChart(reference);
    const fetched = this.#remotes.get(remoteKey(reference));
    if ('unknown' in found || fetched === undefined || !('files' in fetched)) return found;
    this.#mount(folder, () => treeOf({ files: fetched.files }));
    return { ...found, folder };
  }

  findRepository(reference: GitReference): FoundFolder | UnknownPart {
    const fetched = this.#remotes.get(remoteKey(reference));
    if (fetched === undefined || !('tree' in fetched)) return unknownRemote(reference, fetched);
    return { folder: this.#folderOf(fetched), assumes: `${remoteLabel(reference)} ${resolution(fetched)}` };
  }

  /** What was found for a remote entry of a kustomization, or why it is missing. */
  findBase(reference: BaseReference): { readonly assumes: string } | UnknownPart {
    const fetched = this.#remotes.get(remoteKey(reference));
    if (fetched === undefined || 'failure' in fetched) return unknownRemote(reference, fetched);
    const what = 'tree' in fetched ? resolution(fetched) : `was fetched (${'digest' in fetched ? fetched.digest : ''})`;
    return { assumes: `${remoteLabel(reference)} ${what}` };
  }

  /** Folder of a fetched entry; undefined for files and for entries that were not fetched. */
  folderOfBase(base: BaseReference): string | undefined {
    const fetched = this.#remotes.get(remoteKey(base));
    return fetched !== undefined && 'tree' in fetched ? this.#pathOf(base) : undefined;
  }

  #folderOf({ tree, commit }: FetchedTree): string {
    const folder = `${SHELF}/${commit.slice(0, 16)}`;
    this.#mount(folder, () => tree);
    return folder;
  }

  #mount(folder: string, tree: () => FileTree): void {
    if (this.#mounts.has(folder)) return;
    this.#mounts.set(folder, tree());
    for (let path = folder; path !== '.'; path = folderOf(path)) {
      const above = folderOf(path);
      const names = this.#names.get(above) ?? new Set();
      this.#names.set(above, names.add(baseName(path)));
    }
  }

  #mountedTree(): FileTree {
    return {
      kind: (path) => {
        const kind = this.#at<EntryKind | undefined>(
          path,
          (tree, below) => (below === '' ? 'folder' : tree.kind(below)),
          undefined,
        );
        return kind ?? (path !== '' && this.#names.has(path) ? 'folder' : undefined);
      },
      read: (path) => this.#at(path, (tree, below) => tree.read(below), undefined),
      target: (path) => this.#at(path, (tree, below) => tree.target(below), undefined),
      list: (path) => {
        const names = this.#at<readonly string[]>(path, (tree, below) => tree.list(below), []);
        const more = this.#names.get(path === '' ? '.' : path);
        const all = more === undefined ? names : [...new Set([...names, ...more])];
        // A generated kustomization of the top must not apply what was fetched for others.
        return path === '' ? all.filter((name) => name !== SHELF) : all;
      },
    };
  }

  #withReplaced(tree: FileTree): FileTree {
    return {
      ...tree,
      read: (path) => {
        const bytes = tree.read(path);
        return bytes !== undefined && isKustomizationName(path) ? this.#replaced(path, bytes) : bytes;
      },
    };
  }

  /** Asks the tree that holds a path: the nearest mount above it, else the repository. */
  #at<T>(path: string, ask: (tree: FileTree, below: string) => T, nothing: T): T {
    for (let folder = path; folder !== '.' && folder !== ''; folder = folderOf(folder)) {
      const mount = this.#mounts.get(folder);
      if (mount !== undefined) return ask(mount, path.slice(folder.length + 1));
    }
    return isOnShelf(path) ? nothing : ask(this.#repository, path);
  }

  #replaced(path: string, bytes: Uint8Array): Uint8Array {
    const known = this.#kustomizations.get(path);
    if (known?.bytes === bytes) return known.replaced;
    const folder = folderOf(path);
    const up = folder === '.' ? '' : '../'.repeat(folder.split('/').length);
    const text = withReplacedBases(new TextDecoder().decode(bytes), (base) => {
      const target = this.#pathOf(base);
      return target === undefined ? undefined : `${up}${target}`;
    });
    const replaced = text === undefined ? bytes : new TextEncoder().encode(text);
    this.#kustomizations.set(path, { bytes, replaced });
    return replaced;
  }

  /** Path from the top of what was fetched for a remote entry. */
  #pathOf(base: BaseReference): string | undefined {
    const fetched = this.#remotes.get(remoteKey(base));
    if (fetched === undefined) return undefined;
    if ('tree' in fetched) {
      const { path = '' } = parseRepositorySpec(base.base) ?? {};
      return joinPaths(this.#folderOf(fetched), path);
    }
    if (!('bytes' in fetched)) return undefined;
    const { bytes } = fetched;
    const written = baseName(base.base);
    // kustomize names the key of a ConfigMap after the file.
    const name = isFileName(written) ? written : 'file';
    const folder = `${SHELF}/${shortOf(fetched.digest)}/of-${name}`;
    this.#mount(folder, () => treeOf({ files: new Map([[name, bytes]]) }));
    return `${folder}/${name}`;
  }
}

/** True for a folder that was fetched. */
export function isOnShelf(path: string): boolean {
  return path === SHELF || path.startsWith(`${SHELF}/`);
}

function isFileName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..';
}

function shortOf(digest: string): string {
  return digest.replace(/^sha256:/, '').slice(0, 16);
}

function resolution({ commit, ref, isPinned }: FetchedTree): string {
  if (ref === undefined) return 'was fetched';
  return isPinned ? `was fetched (commit ${commit})` : `resolved to commit ${commit}`;
}

function unknownRemote(remote: Remote, fetched: Fetched | undefined): UnknownPart {
  const label = remoteLabel(remote);
  const instead = INSTEAD[fetchKindOf(remote)];
  if (fetched === undefined || !('failure' in fetched)) {
    const help = `${instead}, fetch it with \`--fetch ${fetchKindOf(remote)}\`, or check the rendered manifests`;
    return { unknown: `${label} is not in the repository`, help, missing: [remote] };
  }
  const unknown = `${label} is not in the repository and could not be fetched: ${fetched.failure}`;
  return { unknown, help: fetched.help ?? `correct the reference, ${instead}, or check the rendered manifests` };
}

const INSTEAD: Readonly<Record<RemoteKind, string>> = {
  charts: 'vendor the chart',
  bases: 'copy the base into the repository with `kustomize localize`',
  git: 'check that repository',
};
