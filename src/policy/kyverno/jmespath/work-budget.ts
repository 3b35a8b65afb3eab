// Bounds the work of one search, so that no query takes longer than a person waits.
import { SearchError } from './search-error.ts';

/** About a second of work; queries of real policies take some hundred steps. */
const MAX_STEPS = 5_000_000;

export class WorkBudget {
  #left: number;

  constructor(steps = MAX_STEPS) {
    this.#left = steps;
  }

  /** Throws a `SearchError` once too much is spent. One step is a node, an element or 16 characters. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new SearchError('limit', 'the query takes more work than can be spent on one');
  }

  /** For a text that was made. */
  text(text: string): string {
    this.spend(1 + text.length / 16);
    return text;
  }
}
