// Texts that are kept for long, in as little room as they need.

/** Never true; but a text is made one to be searched. */
const NUL_FIRST = /^\0/;

/**
 * The same text. One that was put together of many is all of these until somebody reads it, which takes three to five times the room in
 * V8: of texts that are made for each of very many findings that is most of a report.
 */
export function flatText(text: string): string {
  NUL_FIRST.test(text);
  return text;
}
