// Wildcards as Kyverno reads them: `*` is any run of characters, `?` exactly one (`ext/wildcard`, IGLOU-EU/go-wildcard).

export function containsWildcard(text: string): boolean {
  return text.includes('*') || text.includes('?');
}

/** Linear in the text for each `*`; a character is a code point. */
export function matchesWildcard(pattern: string, text: string): boolean {
  if (pattern === '*' || pattern === text) return true;
  if (!containsWildcard(pattern)) return false;
  let at = 0;
  let expected = 0;
  let star = -1;
  let retry = 0;
  while (at < text.length) {
    const wanted = pattern.charAt(expected);
    if (wanted === '*') {
      star = expected++;
      retry = at;
    } else if (wanted === '?') {
      at += characterLength(text, at);
      expected++;
    } else if (expected < pattern.length && wanted === text.charAt(at)) {
      at++;
      expected++;
    } else if (star >= 0) {
      retry += characterLength(text, retry);
      at = retry;
      expected = star + 1;
    } else return false;
  }
  while (pattern.charAt(expected) === '*') expected++;
  return expected === pattern.length;
}

function characterLength(text: string, at: number): number {
  return (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
}

/** True if some pattern fits some name. */
export function anyWildcardMatches(patterns: readonly string[], text: string): boolean {
  return patterns.some((pattern) => matchesWildcard(pattern, text));
}
