// Sends file trees to threads: their lists, and once each the contents that a rendering will probably read.

import { isListed } from '../../render/engine/listed-tree.ts';
import type { EntryKind, FileTree } from '../../source/tree/file-tree.ts';
import type { WorkerOrder } from './worker-message.ts';

/** Larger trees are queried path by path. */
const MAXIMUM_PATHS = 200_000;
/** Limits of the contents sent to one thread in advance; at most a second copy of the repository. */
const MAXIMUM_FILES = 1000;
const MAXIMUM_BYTES = 128 * 1024 * 1024;

interface SharedTree {
  readonly number: number;
  readonly tree: FileTree;
  readonly paths: readonly string[] | undefined;
  readonly kinds: readonly EntryKind[];
}

interface Sent {
  readonly trees: Set<number>;
  readonly contents: Set<string>;
  bytes: number;
}

export class SharedTrees {
  readonly #known = new Map<FileTree, SharedTree>();
  readonly #numbered: SharedTree[] = [];
  readonly #sent = new WeakMap<object, Sent>();
  /** By content, because states of one repository share most of it. */
  readonly #shared = new Map<Uint8Array, SharedArrayBuffer>();

  ofNumber(number: number): FileTree {
    return (this.#numbered[number] as SharedTree).tree;
  }

  /** Messages that the thread must receive before it can render from the tree. */
  messagesFor(
    thread: object,
    tree: FileTree,
    reads: Iterable<string>,
  ): { readonly tree: number; readonly messages: readonly WorkerOrder[] } {
    const shared = this.#treeOf(tree);
    const sent = this.#sent.get(thread) ?? { trees: new Set(), contents: new Set(), bytes: 0 };
    this.#sent.set(thread, sent);
    const messages: WorkerOrder[] = [];
    const { number, paths, kinds } = shared;
    if (!sent.trees.has(number)) {
      sent.trees.add(number);
      if (paths !== undefined) messages.push({ type: 'tree', tree: number, paths, kinds });
    }
    for (const path of filesIn(tree, reads)) {
      const key = `${number} ${path}`;
      if (sent.contents.has(key) || sent.bytes > MAXIMUM_BYTES) continue;
      sent.contents.add(key);
      const content = tree.read(path);
      if (content === undefined) continue;
      sent.bytes += content.length;
      messages.push({ type: 'content', tree: number, path, bytes: this.#bytesOf(content) });
    }
    return { tree: number, messages };
  }

  #bytesOf(content: Uint8Array): SharedArrayBuffer {
    let bytes = this.#shared.get(content);
    if (bytes === undefined) {
      bytes = new SharedArrayBuffer(content.length);
      new Uint8Array(bytes).set(content);
      this.#shared.set(content, bytes);
    }
    return bytes;
  }

  #treeOf(tree: FileTree): SharedTree {
    let shared = this.#known.get(tree);
    if (shared === undefined) {
      const listed = isListed(tree) ? tree.paths : undefined;
      const isKnown = listed !== undefined && listed.size <= MAXIMUM_PATHS;
      const paths = isKnown ? [...listed].filter((path) => tree.kind(path) !== undefined) : undefined;
      const kinds = (paths ?? []).map((path) => tree.kind(path) as EntryKind);
      shared = { number: this.#numbered.length, tree, paths, kinds };
      this.#numbered.push(shared);
      this.#known.set(tree, shared);
    }
    return shared;
  }
}

/** The given files, and the files of the given folders, up to a limit. */
function filesIn(tree: FileTree, reads: Iterable<string>): readonly string[] {
  const files: string[] = [];
  const pending = [...reads];
  for (let path = pending.pop(); path !== undefined && files.length < MAXIMUM_FILES; path = pending.pop()) {
    const kind = tree.kind(path);
    if (kind === 'file') files.push(path);
    if (kind === 'folder') for (const name of tree.list(path)) pending.push(`${path}/${name}`);
  }
  return files;
}
