// Copies substrings: V8 stores a substring as a pointer into its parent, so a kept name would keep the whole file in memory.

/** V8 copies shorter substrings anyway. UTF-16 units. */
const SHORTEST_PART = 13;

declare const OWN: unique symbol;

/** A text with its own memory, not a slice that keeps a whole file alive. Long-lived texts have this type. */
export type OwnText = string & { readonly [OWN]: true };

export function ownText(text: string): OwnText {
  // Joining two texts creates a new one. Joining a single text would return the same text.
  return (text.length < SHORTEST_PART ? text : [text.slice(0, 1), text.slice(1)].join('')) as OwnText;
}
