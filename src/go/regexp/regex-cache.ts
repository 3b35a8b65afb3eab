// Caches compiled patterns.
import { compileRegex, type Regex } from './regex.ts';
import type { RegexError } from './regex-error.ts';

/** Compiled patterns by text. The caller determines the lifetime. */
export class RegexCache {
  readonly #capacity: number;
  readonly #compiled = new Map<string, Regex | RegexError>();

  /** Keeps at most `capacity` patterns and removes the oldest. */
  constructor(capacity = 1000) {
    this.#capacity = capacity;
  }

  compile(pattern: string): Regex | RegexError {
    const known = this.#compiled.get(pattern);
    if (known !== undefined) return known;
    const compiled = compileRegex(pattern);
    if (this.#compiled.size >= this.#capacity) {
      const [oldest] = this.#compiled.keys();
      if (oldest !== undefined) this.#compiled.delete(oldest);
    }
    this.#compiled.set(pattern, compiled);
    return compiled;
  }

  /** True if Go compiles the pattern, even if this implementation does not. */
  isValid(pattern: string): boolean {
    const compiled = this.compile(pattern);
    return !('error' in compiled) || compiled.unsupported === true;
  }
}
