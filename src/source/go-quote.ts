// Quotes text as Go's `strconv.Quote` does, for messages that come from Go.

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['"', '\\"'],
  ['\\', '\\\\'],
]);

/** A lone surrogate U+DC00 + n stands for the byte n that is no UTF-8. */
export function quoteGo(text: string): string {
  let quoted = '"';
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    const short = ESCAPES.get(character);
    if (short !== undefined) quoted += short;
    else if (code >= 0xdc00 && code <= 0xdfff) quoted += `\\x${hexadecimal(code - 0xdc00, 2)}`;
    else if (code === 0x20 || /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(character)) quoted += character;
    else if (code < 0x20 || code === 0x7f) quoted += `\\x${hexadecimal(code, 2)}`;
    else if (code < 0x10000) quoted += `\\u${hexadecimal(code, 4)}`;
    else quoted += `\\U${hexadecimal(code, 8)}`;
  }
  return `${quoted}"`;
}

function hexadecimal(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
