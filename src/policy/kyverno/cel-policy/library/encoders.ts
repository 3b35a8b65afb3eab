// `base64.encode` and `base64.decode` (cel-go `ext/encoders.go`).
import type { Library } from '../../../../cel/declaration/library.ts';
import { Bytes } from '../../../../cel/value/scalar.ts';
import { ErrorValue, type Value } from '../../../../cel/value/value.ts';
import { canonicalBase64, encodeBase64 } from '../../../../go/encoding/base64.ts';
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

/** Padding is optional. */
function decode(text: string): Value {
  const canonical = canonicalBase64(text);
  const read =
    typeof canonical === 'string' ? canonical : canonicalBase64(text + '='.repeat((4 - (text.length % 4)) % 4));
  if (typeof read !== 'string') return new ErrorValue((canonical as { readonly error: string }).error);
  return new Bytes(Uint8Array.from(atob(read), (byte) => byte.charCodeAt(0)));
}
