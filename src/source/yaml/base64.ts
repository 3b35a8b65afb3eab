// Decodes `!!binary` scalars as Go does (`base64.StdEncoding`) into this program's form of a Go string.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * Undefined for invalid data. Ignores line breaks; requires padding. A byte that is not UTF-8 becomes the lone
 * surrogate U+DC00 + byte, which `stringifyJson` writes as Go writes such a byte.
 */
export function decodeBase64(text: string): string | undefined {
  const data = text.replaceAll('\r', '').replaceAll('\n', '');
  if (data.length % 4 !== 0) return undefined;
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (let index = 0; index < data.length - padding; index++) {
    const value = ALPHABET.indexOf(data.charAt(index));
    if (value < 0) return undefined;
    bits = ((bits << 6) | value) & 0xffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes.push((bits >> held) & 0xff);
    }
  }
  return decodeUtf8(bytes);
}

/** Like Go's `utf8.DecodeRune`: an invalid sequence yields one bad byte, and decoding continues after that byte. */
function decodeUtf8(bytes: readonly number[]): string {
  let text = '';
  for (let index = 0; index < bytes.length; ) {
    const first = bytes[index] as number;
    const width = first < 0x80 ? 1 : first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : 4;
    let code = width === 1 ? first : first & (0xff >> (width + 1));
    let isValid = first < 0x80 || (first >= 0xc2 && first <= 0xf4);
    for (let offset = 1; isValid && offset < width; offset++) {
      const next = bytes[index + offset] ?? 0;
      isValid = (next & 0xc0) === 0x80;
      code = code * 64 + (next & 0x3f);
    }
    if (width === 3) isValid &&= code >= 0x800 && (code < 0xd800 || code > 0xdfff);
    if (width === 4) isValid &&= code >= 0x10000 && code <= 0x10ffff;
    text += isValid ? String.fromCodePoint(code) : String.fromCharCode(0xdc00 + first);
    index += isValid ? width : 1;
  }
  return text;
}
