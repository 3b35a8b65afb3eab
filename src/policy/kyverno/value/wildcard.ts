// Kyverno's wildcards: `*` matches any text, `?` exactly one character (`ext/wildcard`, IGLOU-EU/go-wildcard).

export function containsWildcard(text: string): boolean {
  return text.includes('*') || text.includes('?');
}

/** Linear in the text for each `*`. A character is a code point. */
export function matchesWildcard(pattern: string, text: string): boolean {
  if (pattern === '*' || pattern === text) return true;
  if (!containsWildcard(pattern)) return false;
  let at = 0;
  let expected = 0;
  let star = -1;
  let retry = 0;
  while (at < text.length) {
    const wanted = expected < pattern.length ? pattern.charCodeAt(expected) : -1;
    if (wanted === STAR) {
      star = expected++;
      if (isLiteralFrom(pattern, expected)) {
        return text.length - at >= pattern.length - expected && text.endsWith(pattern.slice(expected));
      }
      retry = at;
    } else if (wanted === QUESTION_MARK) {
      at += characterLength(text, at);
      expected++;
    } else if (wanted === text.charCodeAt(at)) {
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

const STAR = 0x2a;
const QUESTION_MARK = 0x3f;

/** True if the rest has no wildcards and does not start inside a surrogate pair. */
function isLiteralFrom(pattern: string, start: number): boolean {
  if (pattern.indexOf('*', start) >= 0 || pattern.indexOf('?', start) >= 0) return false;
  return (pattern.charCodeAt(start) & 0xfc00) !== 0xdc00;
}

function characterLength(text: string, at: number): number {
  if ((text.charCodeAt(at) & 0xfc00) !== 0xd800) return 1;
  return (text.codePointAt(at) as number) > 0xffff ? 2 : 1;
}

/** True if a pattern matches the text. */
export function anyWildcardMatches(patterns: readonly string[], text: string): boolean {
  return patterns.some((pattern) => matchesWildcard(pattern, text));
}
