// The engine's file system: one read-only folder that holds a file tree, with links resolved inside it and open files by number.
import type { EntryKind, FileTree } from '../source/tree/file-tree.ts';

/** WASI errno values (snapshot preview 1). */
export const ERRNO = {
  none: 0,
  badDescriptor: 8,
  invalid: 28,
  inputOutput: 29,
  isFolder: 31,
  tooManyLinks: 32,
  noEntry: 44,
  notSupported: 52,
  notFolder: 54,
  readOnly: 69,
} as const;
export type Errno = (typeof ERRNO)[keyof typeof ERRNO];

/** Unlikely to appear in user text, so it can be removed from messages safely. */
export const MOUNT = '/~repository~';
const MOUNTED_NAME = MOUNT.slice(1);
const MAXIMUM_LINKS = 40;

/** `path` is in the tree; undefined for the parent folder of the mount. */
export interface SandboxEntry {
  readonly kind: EntryKind;
  readonly path: string | undefined;
}

interface OpenFile extends SandboxEntry {
  offset: number;
  content: Uint8Array | undefined;
  names: readonly string[] | undefined;
}

/** The preopened folder that all paths are relative to. */
export const TOP_DESCRIPTOR = 3;
const FIRST_DESCRIPTOR = 4;

/** State of one rendering; its open descriptors are dropped with it. */
export class SandboxFiles {
  readonly #tree: FileTree;
  readonly #open = new Map<number, OpenFile>();
  #next = FIRST_DESCRIPTOR;

  constructor(tree: FileTree) {
    this.#tree = tree;
  }

  /** `path` is relative to the top; `follow` says whether a link at its end is followed. */
  find(path: string, follow: boolean): SandboxEntry | Errno {
    let steps = path.split('/').reverse();
    const at: string[] = [];
    let links = 0;
    while (steps.length > 0) {
      const step = steps.pop() as string;
      if (step === '' || step === '.') continue;
      if (step === '..') {
        at.pop();
        continue;
      }
      const here = this.#entry(at);
      if (here?.kind !== 'folder') return here === undefined ? ERRNO.noEntry : ERRNO.notFolder;
      const entry = this.#entry([...at, step]);
      if (entry === undefined) return ERRNO.noEntry;
      const isLast = steps.every((rest) => rest === '' || rest === '.');
      if (entry.kind !== 'link' || (isLast && !follow)) {
        if (entry.kind === 'file' && !isLast) return ERRNO.notFolder;
        at.push(step);
        continue;
      }
      if (++links > MAXIMUM_LINKS) return ERRNO.tooManyLinks;
      const target = this.#tree.target(entry.path ?? '');
      if (target === undefined) return ERRNO.inputOutput;
      // An absolute target leads outside the tree.
      if (target.startsWith('/')) return ERRNO.noEntry;
      steps = [...steps, ...target.split('/').reverse()];
    }
    return this.#entry(at) ?? ERRNO.noEntry;
  }

  #entry(at: readonly string[]): SandboxEntry | undefined {
    if (at.length === 0) return { kind: 'folder', path: undefined };
    if (at[0] !== MOUNTED_NAME) return undefined;
    const path = at.slice(1).join('/');
    const kind = this.#tree.kind(path);
    return kind && { kind, path };
  }

  open(path: string, follow: boolean, mustBeFolder: boolean): number | { readonly errno: Errno } {
    const entry = this.find(path, follow);
    if (typeof entry === 'number') return { errno: entry };
    if (entry.kind === 'link') return { errno: ERRNO.tooManyLinks };
    if (mustBeFolder && entry.kind !== 'folder') return { errno: ERRNO.notFolder };
    const descriptor = this.#next++;
    this.#open.set(descriptor, { ...entry, offset: 0, content: undefined, names: undefined });
    return descriptor;
  }

  close(descriptor: number): Errno {
    return this.#open.delete(descriptor) ? ERRNO.none : ERRNO.badDescriptor;
  }

  entry(descriptor: number): SandboxEntry | undefined {
    if (descriptor === TOP_DESCRIPTOR) return { kind: 'folder', path: undefined };
    return this.#open.get(descriptor);
  }

  /** Bytes of a file, or the length of a link's target; otherwise 0. */
  size({ kind, path = '' }: SandboxEntry): number {
    if (kind === 'link') return this.#tree.target(path)?.length ?? 0;
    return kind === 'file' ? (this.#tree.read(path)?.length ?? 0) : 0;
  }

  /** Reads up to `length` bytes from the current offset. An explicit `offset` leaves the current one unchanged. */
  read(descriptor: number, length: number, offset?: number): Uint8Array | Errno {
    const file = this.#open.get(descriptor);
    if (file === undefined) return ERRNO.badDescriptor;
    if (file.kind !== 'file') return ERRNO.isFolder;
    file.content ??= this.#tree.read(file.path ?? '');
    if (file.content === undefined) return ERRNO.inputOutput;
    const start = offset ?? file.offset;
    const bytes = file.content.subarray(start, start + length);
    if (offset === undefined) file.offset += bytes.length;
    return bytes;
  }

  /** Returns the new offset. `whence`: 0 from the start, 1 from the current offset, 2 from the end. */
  seek(descriptor: number, delta: number, whence: number): number | undefined {
    const file = this.#open.get(descriptor);
    if (file?.kind !== 'file') return undefined;
    const base = whence === 0 ? 0 : whence === 1 ? file.offset : this.size(file);
    if (base + delta < 0) return undefined;
    file.offset = base + delta;
    return file.offset;
  }

  /** Names in an open folder, in the same order on every call. */
  names(descriptor: number): readonly string[] | undefined {
    const file = this.#open.get(descriptor);
    if (file?.kind !== 'folder') return undefined;
    file.names ??= file.path === undefined ? [MOUNTED_NAME] : [...this.#tree.list(file.path)].sort();
    return file.names;
  }

  kindIn(descriptor: number, name: string): EntryKind | undefined {
    const folder = this.#open.get(descriptor);
    if (folder === undefined) return undefined;
    if (folder.path === undefined) return 'folder';
    return this.#tree.kind(folder.path === '' ? name : `${folder.path}/${name}`);
  }

  target(path: string): string | Errno {
    const entry = this.find(path, false);
    if (typeof entry === 'number') return entry;
    if (entry.kind !== 'link') return ERRNO.invalid;
    return this.#tree.target(entry.path ?? '') ?? ERRNO.inputOutput;
  }
}
