// Copies substrings: V8 stores a substring as a pointer into its parent, so a kept name would keep the whole file in memory.

/** V8 copies shorter substrings anyway. UTF-16 units. */
const SHORTEST_PART = 13;

export function ownText(text: string): string {
  // Joining two parts allocates a new string; joining one part would return that part.
  return text.length < SHORTEST_PART ? text : [text.slice(0, 1), text.slice(1)].join('');
}
