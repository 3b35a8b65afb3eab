// Where plain and quoted scalars begin and end, as far as one line tells.
import type { ScalarStyle } from '../node/node.ts';
import { END, isBlankOrEnd, LINE_FEED } from './character.ts';

export const DASH = 0x2d;
export const COLON = 0x3a;
export const QUESTION = 0x3f;
export const SINGLE_QUOTE = 0x27;
export const DOUBLE_QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** `# % & * ! | > ' " @ , [ ] { }` and the backquote: what no plain scalar begins with. */
const INDICATORS: ReadonlySet<number> = new Set([...'#%&*!|>\'"@`,[]{}'].map((character) => character.charCodeAt(0)));

/** Whether a plain scalar begins at the position of a text that a NUL ends, in a block. */
export function beginsPlain(terminated: string, position: number): boolean {
  const code = terminated.charCodeAt(position);
  if (code === DASH || code === QUESTION || code === COLON) return !isBlankOrEnd(terminated.charCodeAt(position + 1));
  return !INDICATORS.has(code);
}

/** Behind the closing quote of the scalar at `start`; undefined where its text is not just what is written, on one line. */
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
