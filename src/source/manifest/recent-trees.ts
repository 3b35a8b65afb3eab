// Caches syntax trees of recently used documents: a tree takes many times the memory of its text and is quick to rebuild.

import type { SourceRange } from '../text/source-file.ts';
import type { Locator } from '../yaml/locator.ts';

/** The tree of a document, and the mapping of its offsets to those of the file. */
export interface DocumentTree {
  readonly locator: Locator;
  readonly text: string;
  readonly toFile: (start: number, end: number) => SourceRange;
  readonly fromFile: (offset: number) => number;
}

/** Trees per generation; two generations are kept. */
const GENERATION = 256;

export class RecentTrees {
  #recent = new Map<object, DocumentTree>();
  #older = new Map<object, DocumentTree>();

  /** Calls `read` if the tree of the document is not cached. */
  of(document: object, read: () => DocumentTree): DocumentTree {
    const recent = this.#recent.get(document);
    if (recent !== undefined) return recent;
    const tree = this.#older.get(document) ?? read();
    if (this.#recent.size >= GENERATION) {
      this.#older = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(document, tree);
    return tree;
  }
}
