// Finds the start and end of plain and quoted scalars on one line.
import type { ScalarStyle } from '../node/node.ts';
import { END, isBlankOrEnd, LINE_FEED } from './character.ts';

export const DASH = 0x2d;
export const COLON = 0x3a;
export const QUESTION = 0x3f;
export const SINGLE_QUOTE = 0x27;
export const DOUBLE_QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Characters that cannot begin a plain scalar: `# % & * ! | > ' " @ , [ ] { }` and the backquote. */
const INDICATORS: ReadonlySet<number> = new Set([...'#%&*!|>\'"@`,[]{}'].map((character) => character.charCodeAt(0)));

/** True if a plain scalar begins at the position, in block context. `terminated` ends with NUL. */
export function beginsPlain(terminated: string, position: number): boolean {
  const code = terminated.charCodeAt(position);
  if (code === DASH || code === QUESTION || code === COLON) return !isBlankOrEnd(terminated.charCodeAt(position + 1));
  return !INDICATORS.has(code);
}

/** Offset after the closing quote of the scalar at `start`. Undefined if the scalar has escapes or more than one line. */
export function endOfQuoted(terminated: string, start: number, quote: number): number | undefined {
  for (let position = start + 1; ; position++) {
    const code = terminated.charCodeAt(position);
    const isQuote = code === quote;
    if (isQuote && (quote === DOUBLE_QUOTE || terminated.charCodeAt(position + 1) !== quote)) return position + 1;
    if (isQuote || code === LINE_FEED || code === END || (code === BACKSLASH && quote === DOUBLE_QUOTE))
      return undefined;
  }
}

export function styleOf(quote: number): ScalarStyle {
  return quote === DOUBLE_QUOTE ? 'double' : 'single';
}
