// Loads RE2, for patterns and operations that JavaScript's RegExp cannot run safely.
import { RE2JS, RE2JSException } from 're2js';
import type { RegexError } from './regex-error.ts';

export type Re2 = RE2JS;

/** `pattern` is valid in Go and expanded to the syntax of re2js. */
export function compileRe2(pattern: string): Re2 | RegexError {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return { error: `regular expression cannot be evaluated: ${error.message}`, unsupported: true };
  }
}
