// Go's `strings.Trim` in linear time, which a regular expression anchored at the end cannot guarantee.

export function trim(text: string, cutset: string): string {
  let start = 0;
  while (start < text.length && cutset.includes(text.charAt(start))) start += 1;
  return trimRight(text.slice(start), cutset);
}

export function trimRight(text: string, cutset: string): string {
  let end = text.length;
  while (end > 0 && cutset.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
