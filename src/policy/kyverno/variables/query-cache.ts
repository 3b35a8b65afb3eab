// Compiled queries by their text.
import type { QueryError } from '../jmespath/query-error.ts';
import { compileQuery, type Query } from '../jmespath/search.ts';

/** Made for one run; values of objects get into queries, so it is bounded. */
export class QueryCache {
  readonly #capacity: number;
  readonly #compiled = new Map<string, Query | QueryError>();

  constructor(capacity = 5000) {
    this.#capacity = capacity;
  }

  compile(text: string): Query | QueryError {
    const known = this.#compiled.get(text);
    if (known !== undefined) return known;
    const compiled = compileQuery(text);
    if (this.#compiled.size >= this.#capacity) {
      const [oldest] = this.#compiled.keys();
      if (oldest !== undefined) this.#compiled.delete(oldest);
    }
    this.#compiled.set(text, compiled);
    return compiled;
  }
}
