// Finds `{{ … }}` in text, like Kyverno's regular expressions (`pkg/engine/variables/regex/vars.go`).

/** The end of the variable at `start`, or undefined. Between the braces, single braces must be balanced. */
export function variableEnd(text: string, start: number): number | undefined {
  if (!text.startsWith('{{', start)) return undefined;
  let at = start + 2;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '}') return text.charAt(at + 1) === '}' ? at + 2 : undefined;
    if (character === '{') {
      const close = nextBrace(text, at + 1);
      if (close === undefined || text.charAt(close) === '{') return undefined;
      at = close + 1;
    } else {
      const brace = nextBrace(text, at + 1);
      if (brace === undefined) return undefined;
      at = brace;
    }
  }
  return undefined;
}

function nextBrace(text: string, start: number): number | undefined {
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x7b || code === 0x7d) return at;
  }
  return undefined;
}

/** Each variable with the character before it, if any. A backslash there escapes the variable. */
export function findVariables(text: string): readonly string[] {
  const found: string[] = [];
  let from = 0;
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', open + 1)) {
    const start = open === 0 ? 0 : characterStart(text, open);
    // The match includes the preceding character, so that character cannot belong to the previous variable.
    if (start < from || (open > 0 && text.charAt(open - 1) === '\\')) continue;
    const end = variableEnd(text, open);
    if (end === undefined) continue;
    found.push(text.slice(start, end));
    from = end;
    open = end - 1;
  }
  return found;
}

/** Start of the character before a position. */
function characterStart(text: string, position: number): number {
  const isPair =
    position > 1 &&
    (text.charCodeAt(position - 1) & 0xfc00) === 0xdc00 &&
    (text.charCodeAt(position - 2) & 0xfc00) === 0xd800;
  return position - (isPair ? 2 : 1);
}

export function hasVariables(text: string): boolean {
  return text.includes('{{') && findVariables(text).length > 0;
}
