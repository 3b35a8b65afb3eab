// Go strings that may not be valid UTF-8. Each invalid byte is represented by the surrogate U+DC00 + byte.
import { toByteString } from '../../../../go/strings/byte-string.ts';

const SURROGATE = /[\udc80-\udcff]/;

/** One character (0…255) per byte. */
export function bytesOf(text: string): string {
  if (!SURROGATE.test(text)) return toByteString(text);
  let bytes = '';
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    bytes += code >= 0xdc80 && code <= 0xdcff ? String.fromCharCode(code - 0xdc00) : toByteString(character);
  }
  return bytes;
}

export function textOfBytes(bytes: string): string {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = characterLength(bytes, at);
    if (length === 0) {
      text += String.fromCharCode(0xdc00 + bytes.charCodeAt(at));
      at++;
    } else {
      text += String.fromCodePoint(codePointAt(bytes, at, length));
      at += length;
    }
  }
  return text;
}

/** 0 if no well-formed character starts at this byte. */
function characterLength(bytes: string, at: number): number {
  const byte = bytes.charCodeAt(at);
  if (byte < 0x80) return 1;
  const length = byte < 0xc2 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 0;
  for (let offset = 1; offset < length; offset++) {
    if ((bytes.charCodeAt(at + offset) & 0xc0) !== 0x80) return 0;
  }
  if (length < 3) return length;
  const code = codePointAt(bytes, at, length);
  const isWellFormed =
    length === 3 ? code >= 0x800 && (code < 0xd800 || code > 0xdfff) : code >= 0x10000 && code <= 0x10ffff;
  return isWellFormed ? length : 0;
}

function codePointAt(bytes: string, at: number, length: number): number {
  if (length === 1) return bytes.charCodeAt(at);
  let code = bytes.charCodeAt(at) & (0xff >> (length + 1));
  for (let offset = 1; offset < length; offset++) code = (code << 6) | (bytes.charCodeAt(at + offset) & 0x3f);
  return code;
}
