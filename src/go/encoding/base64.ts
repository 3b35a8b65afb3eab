// Base64 decoding like Go's base64.StdEncoding: ignores line breaks and unused trailing bits.
import { toByteString } from '../strings/byte-string.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const PADDING = 0x3d;
const ASCII = /^[\0-\x7f]*$/;

/** The text decoded and encoded again, or Go's error with the offset in bytes. */
export function canonicalBase64(text: string): string | { readonly error: string } {
  const source = ASCII.test(text) ? text : toByteString(text);
  const corruptAt = findCorruption(source);
  if (corruptAt !== undefined) return { error: `illegal base64 data at input byte ${corruptAt}` };
  const data = /[\r\n]/.test(source) ? source.replace(/[\r\n]+/g, '') : source;
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  return padding === 0 ? data : withoutUnusedBits(data, padding);
}

/** As `canonicalBase64`, of base64.RawStdEncoding: padding is an error. */
export function canonicalRawBase64(text: string): string | { readonly error: string } {
  const source = toByteString(text);
  let sextets = 0;
  for (let index = 0; index < source.length; index++) {
    const code = source.charCodeAt(index);
    if (isLineBreak(code)) continue;
    if (!isSextet(code)) return { error: `illegal base64 data at input byte ${index}` };
    sextets++;
  }
  if (sextets % 4 === 1) return { error: `illegal base64 data at input byte ${source.length - 1}` };
  return canonicalBase64(text + '='.repeat((4 - (sextets % 4)) % 4));
}

/** The offset in the error of `Encoding.Decode`. */
function findCorruption(source: string): number | undefined {
  let inGroup = 0;
  for (let index = 0; index < source.length; index++) {
    const code = source.charCodeAt(index);
    if (isLineBreak(code)) continue;
    if (code === PADDING) return findPaddingFault(source, index, inGroup);
    if (!isSextet(code)) return index;
    inGroup = (inGroup + 1) % 4;
  }
  return inGroup === 0 ? undefined : source.length - inGroup;
}

function findPaddingFault(source: string, first: number, inGroup: number): number | undefined {
  if (inGroup < 2) return first;
  let end = skipLineBreaks(source, first + 1);
  if (inGroup === 2) {
    if (end === source.length) return end;
    if (source.charCodeAt(end) !== PADDING) return end - 1;
    end = skipLineBreaks(source, end + 1);
  }
  return end === source.length ? undefined : end;
}

function skipLineBreaks(source: string, start: number): number {
  let index = start;
  while (isLineBreak(source.charCodeAt(index))) index++;
  return index;
}

function isLineBreak(code: number): boolean {
  return code === 0x0a || code === 0x0d;
}

function isSextet(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x2f && code <= 0x39) || code === 0x2b
  );
}

function withoutUnusedBits(data: string, padding: 1 | 2): string {
  const last = data.length - padding - 1;
  const bits = ALPHABET.indexOf(data.charAt(last)) & (padding === 2 ? 0b110000 : 0b111100);
  return data.slice(0, last) + ALPHABET.charAt(bits) + '='.repeat(padding);
}

/** base64.URLEncoding: `-` and `_` replace `+` and `/`, which are invalid. */
export function decodeUrlBase64(text: string): Uint8Array | { readonly error: string } {
  const data = canonicalBase64(text.replace(/[-_+/]/g, (character) => FROM_URL.get(character) ?? NO_SEXTET));
  return typeof data === 'string' ? Uint8Array.from(atob(data), (byte) => byte.charCodeAt(0)) : data;
}

const NO_SEXTET = '!';
const FROM_URL: ReadonlyMap<string, string> = new Map([
  ['-', '+'],
  ['_', '/'],
]);

/** Encodes the text's UTF-8 bytes. */
export function encodeBase64Text(text: string): string {
  const bytes = toByteString(text);
  return encodeBase64(bytes.length, (index) => bytes.charCodeAt(index));
}

export function encodeBase64(length: number, byteAt: (index: number) => number): string {
  let encoded = '';
  for (let index = 0; index < length; index += 3) {
    const left = Math.min(3, length - index);
    const bits = (byteAt(index) << 16) | (left > 1 ? byteAt(index + 1) << 8 : 0) | (left > 2 ? byteAt(index + 2) : 0);
    for (let sextet = 0; sextet < 4; sextet++) {
      encoded += sextet > left ? '=' : ALPHABET.charAt((bits >> (18 - 6 * sextet)) & 63);
    }
  }
  return encoded;
}
