// Strings as Go quotes them in messages.
import { isPrintable } from '../library/unicode/unicode.ts';

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
  ['"', '\\"'],
]);

/** `strconv.Quote`, Go's `%q`. */
export function goQuote(text: string): string {
  let quoted = '"';
  for (const character of text) {
    const escaped = ESCAPES.get(character);
    if (escaped !== undefined) quoted += escaped;
    else quoted += quoteCharacter(character, character.codePointAt(0) as number);
  }
  return `${quoted}"`;
}

function quoteCharacter(character: string, codePoint: number): string {
  if (codePoint >= 0xd800 && codePoint < 0xe000) return '\ufffd';
  if (isPrintable(codePoint)) return character;
  if (codePoint < 0x20 || codePoint === 0x7f) return `\\x${hex(codePoint, 2)}`;
  return codePoint < 0x1_0000 ? `\\u${hex(codePoint, 4)}` : `\\U${hex(codePoint, 8)}`;
}

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, '0');
}
