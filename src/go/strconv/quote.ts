// Quotes text like Go's `strconv.Quote` (`%q`), for error messages of Go.
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

/** For CEL text: a lone surrogate is not valid UTF-8, so Go prints U+FFFD. */
export function goQuote(text: string): string {
  return quote(text, () => '\ufffd');
}

/** For text of files: a lone surrogate U+DC00 + n represents the non-UTF-8 byte n. */
export function goQuoteBytes(text: string): string {
  return quote(text, (surrogate) =>
    surrogate < 0xdc00 ? escapeCodePoint(surrogate) : `\\x${hex(surrogate - 0xdc00, 2)}`,
  );
}

/** Printable ASCII that needs no escape. */
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
