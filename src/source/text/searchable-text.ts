// Decides whether a YAML or JSON text may contain a word that is not written literally.

/**
 * Ways to spell a letter indirectly in YAML and JSON: escapes (of letters, digits and `-./:_`), base64 and composed
 * tags. A text that uses one of them may contain any word.
 */
const DISGUISE = /\\(?:x|u00|U000000)(?:2[d-fD-F]|3[0-9aA]|[4-7][0-9a-fA-F])|![^\s%]{0,64}(?:binary|%)|%TAG/;
/** A double-quoted scalar can continue on the next line after a backslash, even within a word. */
const CONTINUATION = /\\(?:\r\n?|[\n\u0085\u2028\u2029])[ \t]*/g;
const CONTINUING_BREAKS = ['\\\r', '\\\n', '\\\u0085', '\\\u2028', '\\\u2029'];

export interface SearchableText {
  readonly text: string;
  /** The text with continued lines joined; undefined if no line continues. */
  readonly joined: string | undefined;
  /** True if the text may contain any word. */
  readonly hides: boolean;
}

export function searchableText(text: string): SearchableText {
  const hasBackslash = text.includes('\\');
  const isContinued = hasBackslash && CONTINUING_BREAKS.some((mark) => text.includes(mark));
  const joined = isContinued ? text.replace(CONTINUATION, '') : text;
  const hides = (hasBackslash || text.includes('!') || text.includes('%TAG')) && DISGUISE.test(text);
  return { text, joined: joined === text ? undefined : joined, hides };
}

/** False only if the text cannot contain the searched word in any spelling. */
export function maySay({ text, joined, hides }: SearchableText, isIn: (text: string) => boolean): boolean {
  return hides || isIn(text) || (joined !== undefined && isIn(joined));
}
