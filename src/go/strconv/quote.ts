// Quotes text as Go's `strconv.Quote` (`%q`) does, for messages that come from Go.
import { isPrintable } from '../unicode/unicode.ts';

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

/** Of text as CEL has it: a lone surrogate was never UTF-8, so Go has U+FFFD in its place. */
export function goQuote(text: string): string {
  return quote(text, () => '\ufffd');
}

/** Of text as it was read from a file: a lone surrogate U+DC00 + n stands for the byte n that is no UTF-8. */
export function goQuoteBytes(text: string): string {
  return quote(text, (surrogate) =>
    surrogate < 0xdc00 ? escapeCodePoint(surrogate) : `\\x${hex(surrogate - 0xdc00, 2)}`,
  );
}

/** Printable ASCII that stands for itself. */
const PLAIN = /^[ !#-[\]-~]*$/;

function quote(text: string, quoteSurrogate: (codePoint: number) => string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  let quoted = '"';
  for (const character of text) {
    const codePoint = character.codePointAt(0) as number;
    const escaped = ESCAPES.get(character);
    if (escaped !== undefined) quoted += escaped;
    else if (codePoint >= 0xd800 && codePoint < 0xe000) quoted += quoteSurrogate(codePoint);
    else if (isPrintable(codePoint)) quoted += character;
    else quoted += escapeCodePoint(codePoint);
  }
  return `${quoted}"`;
}

function escapeCodePoint(codePoint: number): string {
  if (codePoint < 0x20 || codePoint === 0x7f) return `\\x${hex(codePoint, 2)}`;
  return codePoint < 0x1_0000 ? `\\u${hex(codePoint, 4)}` : `\\U${hex(codePoint, 8)}`;
}

function hex(value: number, width: number): string {
  return value.toString(16).padStart(width, '0');
}
