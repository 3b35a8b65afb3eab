// Reduces the memory of long-lived strings.

/** Never matches, but running it makes V8 flatten the string. */
const NUL_FIRST = /^\0/;

/** Returns the same text, flattened. V8 keeps a concatenated string as a tree of its parts, which needs three to five times the memory. */
export function flatText(text: string): string {
  NUL_FIRST.test(text);
  return text;
}
