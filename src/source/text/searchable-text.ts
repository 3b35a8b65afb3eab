// Whether a text of YAML or JSON may hold a word without it being written there.

/**
 * How YAML and JSON can spell a letter without writing it: escapes (of letters, digits and `-./:_`), base64, and tags that
 * are put together. A text with any of these may say anything.
 */
const DISGUISE = /\\(?:x|u00|U000000)(?:2[d-fD-F]|3[0-9aA]|[4-7][0-9a-fA-F])|![^\s%]{0,64}(?:binary|%)|%TAG/;
/** In double quotes a line can go on after a backslash, in the middle of a word. */
const CONTINUATION = /\\(?:\r\n?|[\n\u0085\u2028\u2029])[ \t]*/g;
const CONTINUING_BREAKS = ['\\\r', '\\\n', '\\\u0085', '\\\u2028', '\\\u2029'];

export interface SearchableText {
  readonly text: string;
  /** With lines joined that go on, if there are any. */
  readonly joined: string | undefined;
  /** It may hold any word. */
  readonly hides: boolean;
}

export function searchableText(text: string): SearchableText {
  const hasBackslash = text.includes('\\');
  const isContinued = hasBackslash && CONTINUING_BREAKS.some((mark) => text.includes(mark));
  const joined = isContinued ? text.replace(CONTINUATION, '') : text;
  const hides = (hasBackslash || text.includes('!') || text.includes('%TAG')) && DISGUISE.test(text);
  return { text, joined: joined === text ? undefined : joined, hides };
}

/** False only if the text does not hold what is asked for, however it is written. */
export function maySay({ text, joined, hides }: SearchableText, isIn: (text: string) => boolean): boolean {
  return hides || isIn(text) || (joined !== undefined && isIn(joined));
}
