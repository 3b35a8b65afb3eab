// Copies substrings: V8 stores a substring as a pointer into its parent, so a kept name would keep the whole file in memory.

/** V8 copies shorter substrings anyway. UTF-16 units. */
const SHORTEST_PART = 13;

declare const OWN: unique symbol;

/** A text in memory of its own. What is kept for each object or line of a repository has this type. */
export type OwnText = string & { readonly [OWN]: true };

export function ownText(text: string): OwnText {
  // Joining two texts writes one; of a single one it gives that one.
  return (text.length < SHORTEST_PART ? text : [text.slice(0, 1), text.slice(1)].join('')) as OwnText;
}
