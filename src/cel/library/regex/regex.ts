// Regular expressions with Go's (RE2) syntax, semantics and error texts.
import { RE2JS, RE2JSException } from 're2js';
import type { ErrorValue } from '../../value/value.ts';
import { parsePattern } from './parser.ts';

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

export interface RegexError {
  /** Go's text, e.g. "error parsing regexp: missing closing ]: `[`". */
  readonly error: string;
  /** Set if Go would compile the pattern and only this implementation does not: the outcome is unknown. */
  readonly unsupported?: true;
}

/** Far beyond any real pattern; a pattern that compiles to this much needs some ten megabytes and 100 ms. */
const MAX_INSTRUCTIONS = 100_000;
const MAX_HIDDEN_WORK = 2_000_000;
const MAX_PATTERN_LENGTH = 200_000;

export function compileRegex(pattern: string): Regex | RegexError {
  const parsed = parsePattern(pattern);
  if ('error' in parsed) return parsed;
  const { syntax, expanded, hiddenWork } = parsed;
  if (syntax.size > MAX_INSTRUCTIONS || hiddenWork > MAX_HIDDEN_WORK || pattern.length > MAX_PATTERN_LENGTH) {
    return { error: 'regular expression is too large to be evaluated', unsupported: true };
  }
  try {
    return new Re2Regex(pattern, RE2JS.compile(expanded));
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return { error: `regular expression cannot be evaluated: ${error.message}`, unsupported: true };
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
    let position = 0;
    let previousEnd = -1;
    while (found.length !== limit && position <= text.length && matcher.find(position)) {
      const start = matcher.start();
      const end = matcher.end();
      // An empty match does not count where the previous match ended.
      if (end > position || start !== previousEnd) found.push(text.slice(start, end));
      position = end > position ? end : position + codePointLength(text, position);
      previousEnd = end;
    }
    return found;
  }
}

function codePointLength(text: string, position: number): number {
  return (text.codePointAt(position) ?? 0) > 0xffff ? 2 : 1;
}
