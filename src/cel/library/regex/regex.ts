// Regular expressions with Go's (RE2) syntax, semantics and error texts.
import { RE2JS, RE2JSSyntaxException } from 're2js';
import type { ErrorValue } from '../../value/value.ts';

/**
 * A compiled pattern. A method returns an ErrorValue only when an answer would take more work than a hostile
 * text may claim; the API server has no such limit, so such an error means "unknown", not "invalid".
 */
export interface Regex {
  readonly pattern: string;
  /** Unanchored, as Go `regexp.MatchString`. */
  matches(text: string): boolean | ErrorValue;
  /** The leftmost-first match, undefined if there is none; Go `regexp.FindString`. */
  find(text: string): string | undefined | ErrorValue;
  /** At most `limit` successive matches, all if negative; Go `regexp.FindAllString`. */
  findAll(text: string, limit: number): string[] | ErrorValue;
}

/** `error` is Go's text, e.g. "error parsing regexp: missing closing ]: `[`". */
export function compileRegex(pattern: string): Regex | { readonly error: string } {
  try {
    return new Re2Regex(pattern, RE2JS.compile(pattern));
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    return { error: `error parsing regexp: ${error.getDescription()}: \`${error.getPattern() ?? ''}\`` };
  }
}

class Re2Regex implements Regex {
  readonly pattern: string;
  readonly #engine: RE2JS;

  constructor(pattern: string, engine: RE2JS) {
    this.pattern = pattern;
    this.#engine = engine;
  }

  matches(text: string): boolean {
    return this.#engine.test(text);
  }

  find(text: string): string | undefined {
    const matcher = this.#engine.matcher(text);
    return matcher.find() ? (matcher.group() ?? '') : undefined;
  }

  findAll(text: string, limit: number): string[] {
    const found: string[] = [];
    const matcher = this.#engine.matcher(text);
    while (found.length !== limit && matcher.find()) found.push(matcher.group() ?? '');
    return found;
  }
}

/** Compiled patterns by text; made by the caller, who decides how long it lives. */
export class RegexCache {
  readonly #capacity: number;
  readonly #compiled = new Map<string, Regex | { readonly error: string }>();

  /** At most `capacity` patterns are kept; when full, the oldest goes. */
  constructor(capacity = 1000) {
    this.#capacity = capacity;
  }

  compile(pattern: string): Regex | { readonly error: string } {
    let compiled = this.#compiled.get(pattern);
    if (compiled === undefined) {
      compiled = compileRegex(pattern);
      if (this.#compiled.size >= this.#capacity) {
        for (const oldest of this.#compiled.keys()) {
          this.#compiled.delete(oldest);
          break;
        }
      }
      this.#compiled.set(pattern, compiled);
    }
    return compiled;
  }
}
