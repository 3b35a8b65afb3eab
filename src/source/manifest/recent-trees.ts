// The trees of the documents that were asked for places last: a tree takes many times the room of its text, and reading it again is quick.

import type { SourceRange } from '../text/source-file.ts';
import type { Locator } from '../yaml/locator.ts';

/** The tree of a document and the way from its offsets to the file's. */
export interface DocumentTree {
  readonly locator: Locator;
  readonly text: string;
  readonly toFile: (start: number, end: number) => SourceRange;
  readonly fromFile: (offset: number) => number;
}

/** Half of those that are kept. */
const GENERATION = 256;

/** For documents that are asked in turn, as those of one run. */
export class RecentTrees {
  #recent = new Map<object, DocumentTree>();
  #older = new Map<object, DocumentTree>();

  /** `read` is asked for a document whose tree is not kept any more. */
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
