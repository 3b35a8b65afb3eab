// Short texts that recur in manifests, kept once: most keys and many values of a repository are the same few hundred words.
import { type OwnText, ownText } from '../text/own-text.ts';

/** Must be a power of two. */
const PLACES = 2048;
const LONGEST = 40;

/** A fixed-size cache with the last text for each slot. Sharing it between runs is safe because it only replaces equal strings. */
const kept: string[] = new Array<string>(PLACES).fill('');

/** Returns `text.slice(start, end)`; for a short text, the interned copy if the cache still has it. */
export function recurringText(text: string, start: number, end: number): string {
  const length = end - start;
  if (length > LONGEST || length === 0) return text.slice(start, end);
  let hash = length;
  for (let position = start; position < end; position++) hash = (Math.imul(hash, 31) + text.charCodeAt(position)) | 0;
  const place = (hash ^ (hash >>> 15)) & (PLACES - 1);
  const known = kept[place] as string;
  if (known.length === length && text.startsWith(known, start)) return known;
  const own = ownText(text.slice(start, end));
  kept[place] = own;
  return own;
}

/** The text as one that may be kept for long: what recurs once, and nothing that points into another text. */
export function keptText(text: string): OwnText {
  // A part that is short enough to recur is a copy.
  return text.length > LONGEST ? ownText(text) : (recurringText(text, 0, text.length) as OwnText);
}
