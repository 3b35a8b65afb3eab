// Finds `{{ … }}` in texts, as Kyverno's regular expressions do (`pkg/engine/variables/regex/vars.go`).

/**
 * The end of the variable that begins at `start`, undefined if none does. Between the braces stand groups in single braces and
 * what is no brace.
 */
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

/** Each variable with the character before it, if there is one; a backslash there makes it none. */
export function findVariables(text: string): readonly string[] {
  const found: string[] = [];
  let from = 0;
  for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', open + 1)) {
    const start = open === 0 ? 0 : characterStart(text, open);
    // The character in front belongs to what is found, so it cannot be part of the variable before.
    if (start < from || (open > 0 && text.charAt(open - 1) === '\\')) continue;
    const end = variableEnd(text, open);
    if (end === undefined) continue;
    found.push(text.slice(start, end));
    from = end;
    open = end - 1;
  }
  return found;
}

/** Where the character before a position begins. */
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
