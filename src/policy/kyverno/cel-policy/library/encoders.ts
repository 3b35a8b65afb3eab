// `base64.encode` and `base64.decode` (cel-go `ext/encoders.go`).
import type { Library } from '../../../../cel/declaration/library.ts';
import { Bytes } from '../../../../cel/value/scalar.ts';
import { ErrorValue, type Value } from '../../../../cel/value/value.ts';
import { canonicalBase64, canonicalRawBase64, encodeBase64 } from '../../../../go/encoding/base64.ts';
import { declarationsOf } from '../../../../kubernetes/cel/library/declaration.ts';

export const ENCODERS_LIBRARY: Library = {
  name: 'cel.lib.ext.encoders',
  functions: declarationsOf([
    ['base64.decode', 'base64_decode_string', 'base64.decode(string) -> bytes', 'unit', decode],
    [
      'base64.encode',
      'base64_encode_bytes',
      'base64.encode(bytes) -> string',
      'unit',
      ({ data }: Bytes) => encodeBase64(data.length, (index) => data[index] as number),
    ],
  ]),
};

/** Padding is optional, but complete. */
function decode(text: string): Value {
  const padded = canonicalBase64(text);
  const read = typeof padded === 'string' ? padded : canonicalRawBase64(text);
  if (typeof read !== 'string') return new ErrorValue(read.error);
  return new Bytes(Uint8Array.from(atob(read), (byte) => byte.charCodeAt(0)));
}
