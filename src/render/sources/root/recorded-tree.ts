// A file tree that records queries and answers, so that a rendering can be reused for other trees with equal answers.
import { type EntryKind, type FileTree, type Question, treeOf } from '../../../source/tree/file-tree.ts';

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

  filesRead(): ReadonlySet<string> {
    const read = this.#answers.filter(({ question, answer }) => question === 'read' && answer !== undefined);
    return new Set(read.map(({ path }) => path));
  }

  /** Distinct queries in order of their first use. */
  questions(): readonly Question[] {
    return this.#answers.map(({ question, path }) => [question, path]);
  }

  isSameIn(other: FileTree): boolean {
    return this.#answers.every(({ question, path, answer }) => isSame(answer, other[question](path)));
  }

  /** Repeats the queries with renamed paths; undefined if an answer of the other tree differs. */
  renamedIn(other: FileTree, renamed: (path: string) => string): RecordedTree | undefined {
    const record = new RecordedTree(other);
    const isAlike = this.#answers.every(({ question, path, answer }) => {
      const asked = renamed(path);
      return isSame(answer, record.#ask(question, asked, other[question](asked)));
    });
    return isAlike ? record : undefined;
  }

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

export function overlaid(tree: FileTree, files: ReadonlyMap<string, string> | undefined): FileTree {
  if (files === undefined || files.size === 0) return tree;
  const over = treeOf({ files });
  return {
    kind: (path) => (path === '' ? 'folder' : (over.kind(path) ?? tree.kind(path))),
    read: (path) => over.read(path) ?? tree.read(path),
    target: (path) => (over.kind(path) === undefined ? tree.target(path) : undefined),
    list: (path) => [...new Set([...tree.list(path), ...over.list(path)])],
  };
}
