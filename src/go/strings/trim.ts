// Go's `strings.Trim` and what it is made of: linear in any text, which a regular expression at the end of a text is not.

/** Without the characters of `cutset` at both ends. */
export function trim(text: string, cutset: string): string {
  let start = 0;
  while (start < text.length && cutset.includes(text.charAt(start))) start += 1;
  return trimRight(text.slice(start), cutset);
}

/** Without the characters of `cutset` at the end. */
export function trimRight(text: string, cutset: string): string {
  let end = text.length;
  while (end > 0 && cutset.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
