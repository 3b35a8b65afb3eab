// Caches compiled queries and parsed variables by text.
import type { QueryError } from '../jmespath/query-error.ts';
import { compileQuery, type Query } from '../jmespath/search.ts';
import { type WrittenVariable, writtenVariables } from './written-variables.ts';

const LONGEST_KEPT = 10_000;

/** For one run. The cache is bounded because values of objects become part of queries. */
export class QueryCache {
  readonly #capacity: number;
  readonly #compiled = new Map<string, Query | QueryError>();
  readonly #variables = new Map<string, readonly WrittenVariable[]>();

  constructor(capacity = 5000) {
    this.#capacity = capacity;
  }

  compile(text: string): Query | QueryError {
    const known = this.#compiled.get(text);
    if (known !== undefined) return known;
    const compiled = compileQuery(text);
    this.#keep(this.#compiled, text, compiled);
    return compiled;
  }

  variablesIn(text: string): readonly WrittenVariable[] {
    const known = this.#variables.get(text);
    if (known !== undefined) return known;
    const found = writtenVariables(text);
    if (text.length <= LONGEST_KEPT) this.#keep(this.#variables, text, found);
    return found;
  }

  #keep<Kept>(kept: Map<string, Kept>, text: string, value: Kept): void {
    if (kept.size >= this.#capacity) {
      const [oldest] = kept.keys();
      if (oldest !== undefined) kept.delete(oldest);
    }
    kept.set(text, value);
  }
}
