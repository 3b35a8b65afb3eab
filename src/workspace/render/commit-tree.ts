// A commit as the file tree of a rendering: reuses texts that were already read and reads other blobs from Git on demand.
import type { DiscoveredFile } from '../../inventory/discovered-file.ts';
import { listedTree } from '../../render/engine/listed-tree.ts';
import type { SourceFile } from '../../source/text/source-file.ts';
import type { EntryKind, FileTree } from '../../source/tree/file-tree.ts';
import { MAXIMUM_INPUT_BYTES } from '../files/limits.ts';
import type { ObjectId, TreeEntry } from '../git/git-output.ts';
import type { GitRepository } from '../git/git-repository.ts';

const LINK_MODE = '120000';

/** Contents that the trees of several commits of a repository share. */
export class BlobContents {
  readonly #texts = new WeakMap<SourceFile, Uint8Array>();
  readonly #blobs = new Map<ObjectId, Uint8Array | undefined>();
  readonly #repository: GitRepository;

  constructor(repository: GitRepository) {
    this.#repository = repository;
  }

  ofText(file: SourceFile): Uint8Array {
    let bytes = this.#texts.get(file);
    if (bytes === undefined) {
      bytes = new TextEncoder().encode(file.text);
      this.#texts.set(file, bytes);
    }
    return bytes;
  }

  /** Undefined for a blob that is too large or cannot be read. */
  ofBlob({ id, size }: TreeEntry): Uint8Array | undefined {
    if (this.#blobs.has(id)) return this.#blobs.get(id);
    const bytes = (size ?? 0) > MAXIMUM_INPUT_BYTES ? undefined : this.#repository.readBlobNow(id);
    this.#blobs.set(id, bytes);
    return bytes;
  }
}

/** `entries`: all files of the commit. Submodules have no content. */
export function commitTree(
  entries: readonly TreeEntry[],
  files: readonly DiscoveredFile[],
  contents: BlobContents,
): FileTree {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const texts = new Map(files.map(({ file }) => [file.path, file]));
  const kind = (path: string): EntryKind | undefined => {
    const mode = byPath.get(path)?.mode;
    if (mode === undefined) return undefined;
    if (mode === LINK_MODE) return 'link';
    return mode.startsWith('100') ? 'file' : undefined;
  };
  const read = (path: string): Uint8Array | undefined => {
    const text = texts.get(path);
    if (text !== undefined) return contents.ofText(text);
    const entry = byPath.get(path);
    return entry === undefined ? undefined : contents.ofBlob(entry);
  };
  const tree: FileTree = {
    kind,
    read,
    target: (path) => {
      const entry = byPath.get(path);
      const bytes = entry?.mode === LINK_MODE ? contents.ofBlob(entry) : undefined;
      return bytes && new TextDecoder().decode(bytes);
    },
    list: () => [],
  };
  return listedTree(tree, new Set(byPath.keys()));
}
