// A file tree that remembers what was asked of it, so that what was rendered from it is known to hold for another tree too.
import { type EntryKind, type FileTree, type Question, treeOf } from '../engine/file-tree.ts';

type Answer = EntryKind | Uint8Array | string | readonly string[] | undefined;

export class RecordedTree implements FileTree {
  readonly #tree: FileTree;
  readonly #answers: { readonly question: keyof FileTree; readonly path: string; readonly answer: Answer }[] = [];
  readonly #asked = new Set<string>();

  constructor(tree: FileTree) {
    this.#tree = tree;
  }

  readonly kind = (path: string): EntryKind | undefined => this.#ask('kind', path, this.#tree.kind(path));
  readonly read = (path: string): Uint8Array | undefined => this.#ask('read', path, this.#tree.read(path));
  readonly target = (path: string): string | undefined => this.#ask('target', path, this.#tree.target(path));
  readonly list = (path: string): readonly string[] => this.#ask('list', path, this.#tree.list(path));

  /** Files whose content was read. */
  filesRead(): ReadonlySet<string> {
    const read = this.#answers.filter(({ question, answer }) => question === 'read' && answer !== undefined);
    return new Set(read.map(({ path }) => path));
  }

  /** Each once, in the order in which they were first asked. */
  questions(): readonly Question[] {
    return this.#answers.map(({ question, path }) => [question, path]);
  }

  /** True if the other tree answers everything in the same way. */
  isSameIn(other: FileTree): boolean {
    return this.#answers.every(({ question, path, answer }) => isSame(answer, other[question](path)));
  }

  /** The same questions about other paths; undefined if the other tree answers one of them in another way. */
  renamedIn(other: FileTree, renamed: (path: string) => string): RecordedTree | undefined {
    const record = new RecordedTree(other);
    const isAlike = this.#answers.every(({ question, path, answer }) => {
      const asked = renamed(path);
      return isSame(answer, record.#ask(question, asked, other[question](asked)));
    });
    return isAlike ? record : undefined;
  }

  /** What was asked, with the answer. */
  *answers(): Iterable<readonly [question: Question, answer: Answer]> {
    for (const { question, path, answer } of this.#answers) yield [[question, path], answer];
  }

  #ask<A extends Answer>(question: keyof FileTree, path: string, answer: A): A {
    const key = `${question} ${path}`;
    if (!this.#asked.has(key)) {
      this.#asked.add(key);
      this.#answers.push({ question, path, answer });
    }
    return answer;
  }
}

function isSame(one: Answer, other: Answer): boolean {
  if (one === other) return true;
  if (one instanceof Uint8Array && other instanceof Uint8Array) {
    return one.length === other.length && one.every((byte, index) => byte === other[index]);
  }
  if (Array.isArray(one) && Array.isArray(other)) return [...one].sort().join('\0') === [...other].sort().join('\0');
  return false;
}

/** A tree with some files written over it: what is written there hides what was, the rest shows through. */
export function overlaid(tree: FileTree, files: ReadonlyMap<string, string> | undefined): FileTree {
  if (files === undefined || files.size === 0) return tree;
  const over = treeOf({ files });
  return overTree(tree, () => over);
}

/** `over` is asked for at every question: it may grow. */
export function overTree(tree: FileTree, over: () => FileTree): FileTree {
  return {
    kind: (path) => (path === '' ? 'folder' : (over().kind(path) ?? tree.kind(path))),
    read: (path) => over().read(path) ?? tree.read(path),
    target: (path) => (over().kind(path) === undefined ? tree.target(path) : undefined),
    list: (path) => [...new Set([...tree.list(path), ...over().list(path)])],
  };
}
