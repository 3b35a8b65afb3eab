// Go strings as UTF-8 bytes, one character (0…255) per byte, for code that depends on bytes.
import { goQuote } from '../strconv/quote.ts';

const ASCII = /^[\0-\x7f]*$/;

export function toByteString(text: string): string {
  if (ASCII.test(text)) return text;
  let bytes = '';
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    if (code < 0x80) bytes += character;
    else if (code < 0x800) bytes += String.fromCharCode(0xc0 | (code >> 6), trailing(code, 0));
    else if (code < 0x10000) bytes += String.fromCharCode(0xe0 | (code >> 12), trailing(code, 6), trailing(code, 0));
    else bytes += String.fromCharCode(0xf0 | (code >> 18), trailing(code, 12), trailing(code, 6), trailing(code, 0));
  }
  return bytes;
}

function trailing(code: number, shift: number): number {
  return 0x80 | ((code >> shift) & 0x3f);
}

/** Each byte that is not UTF-8 becomes U+FFFD, as in Go's output. */
export function fromByteString(bytes: string): string {
  if (ASCII.test(bytes)) return bytes;
  let text = '';
  for (const { codePoint } of decodeByteString(bytes)) text += String.fromCodePoint(codePoint ?? 0xfffd);
  return text;
}

interface DecodedRune {
  /** Undefined for a byte that is not part of a well-formed sequence. */
  readonly codePoint: number | undefined;
  readonly byte: number;
}

/** Go's `for range` over a string. */
function* decodeByteString(bytes: string): Iterable<DecodedRune> {
  for (let index = 0; index < bytes.length; ) {
    const byte = bytes.charCodeAt(index);
    const length = byte < 0x80 ? 1 : byte < 0xc2 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 0;
    let codePoint: number | undefined = length === 0 ? undefined : length === 1 ? byte : byte & (0xff >> (length + 1));
    for (let offset = 1; offset < length && codePoint !== undefined; offset++) {
      const next = bytes.charCodeAt(index + offset);
      codePoint = (next & 0xc0) === 0x80 ? (codePoint << 6) | (next & 0x3f) : undefined;
    }
    if (codePoint !== undefined && !isWellFormed(codePoint, length)) codePoint = undefined;
    yield { codePoint, byte };
    index += codePoint === undefined ? 1 : length;
  }
}

/** False for overlong sequences, surrogates and values above U+10FFFF. */
function isWellFormed(codePoint: number, length: number): boolean {
  if (length === 3) return codePoint >= 0x800 && (codePoint < 0xd800 || codePoint > 0xdfff);
  return length < 4 || (codePoint >= 0x10000 && codePoint <= 0x10ffff);
}

/** Go `strconv.Quote`; bytes that are not UTF-8 appear as `\xff`. */
export function quoteByteString(bytes: string): string {
  if (ASCII.test(bytes)) return goQuote(bytes);
  let quoted = '';
  for (const { codePoint, byte } of decodeByteString(bytes)) {
    quoted +=
      codePoint === undefined ? `\\x${byte.toString(16)}` : goQuote(String.fromCodePoint(codePoint)).slice(1, -1);
  }
  return `"${quoted}"`;
}
