// RE2 as a program, for patterns and questions that JavaScript's own regular expressions are not trusted with.
import { RE2JS, RE2JSException } from 're2js';
import type { RegexError } from './regex-error.ts';

export type Re2 = RE2JS;

/** Of a pattern that Go takes, in the words that this engine knows. */
export function compileRe2(pattern: string): Re2 | RegexError {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return { error: `regular expression cannot be evaluated: ${error.message}`, unsupported: true };
  }
}
