// cel-go's `ext.Encoders`: base64. Not in Kubernetes.
import type { Library } from '../../../src/cel/declaration/library.ts';
import { Bytes } from '../../../src/cel/value/scalar.ts';
import { ErrorValue } from '../../../src/cel/value/value.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

function encode({ data }: Bytes): string {
  let text = '';
  for (let index = 0; index < data.length; index += 3) {
    const [first = 0, second = 0, third = 0] = data.subarray(index, index + 3);
    const bits = (first << 16) | (second << 8) | third;
    for (let shift = 18; shift >= 0; shift -= 6) text += ALPHABET.charAt((bits >> shift) & 63);
  }
  const padding = (3 - (data.length % 3)) % 3;
  return text.slice(0, text.length - padding) + '='.repeat(padding);
}

/** Padding is optional; line breaks are skipped. */
function decode(text: string): Bytes | ErrorValue {
  const digits = text.replace(/[\r\n]/g, '');
  const unpadded = digits.length % 4 === 0 ? digits.replace(/={1,2}$/, '') : digits;
  const data: number[] = [];
  let bits = 0;
  for (let index = 0; index < unpadded.length; index++) {
    const value = ALPHABET.indexOf(unpadded.charAt(index));
    if (value < 0) return corrupt(text, index);
    bits = ((bits << 6) | value) & 0xff_ffff;
    if (index % 4 !== 0) data.push((bits >> (6 - 2 * (index % 4))) & 0xff);
  }
  return unpadded.length % 4 === 1 ? corrupt(text, unpadded.length - 1) : new Bytes(Uint8Array.from(data));
}

/** `index` excludes line breaks. Go's offset includes them and is in bytes; the text before it is ASCII. */
function corrupt(text: string, index: number): ErrorValue {
  let offset = 0;
  for (let passed = -1; offset < text.length; offset++) {
    if (!/[\r\n]/.test(text.charAt(offset))) passed++;
    if (passed === index) break;
  }
  return new ErrorValue(`illegal base64 data at input byte ${offset}`);
}

export const ENCODERS: Library = {
  name: 'cel.lib.ext.encoders',
  functions: [
    {
      name: 'base64.decode',
      overloads: [{ id: 'base64_decode_string', signature: 'base64.decode(string) -> bytes', evaluate: decode }],
    },
    {
      name: 'base64.encode',
      overloads: [{ id: 'base64_encode_bytes', signature: 'base64.encode(bytes) -> string', evaluate: encode }],
    },
  ],
};
