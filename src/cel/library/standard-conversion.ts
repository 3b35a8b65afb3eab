// Type conversions: `int(x)`, `string(x)` and others.
import type { FunctionDeclaration, Overload } from '../declaration/library.ts';
import { type Price, UNIT } from '../declaration/price.ts';
import {
  timestampConversion,
  toBool,
  toBytes,
  toDouble,
  toDuration,
  toInt,
  toText,
  toUint,
} from '../value/conversion.ts';
import type { CelGo } from '../value/release.ts';
import { FROM_BYTES, TO_BYTES } from './standard-prices.ts';

const DURATION = 'google.protobuf.Duration';
const TIMESTAMP = 'google.protobuf.Timestamp';

export function conversion(celGo: CelGo): readonly FunctionDeclaration[] {
  return [
    convert('bool', 'bool', toBool, [
      ['bool_to_bool', 'bool'],
      ['string_to_bool', 'string'],
    ]),
    convert('bytes', 'bytes', toBytes, [
      ['bytes_to_bytes', 'bytes'],
      ['string_to_bytes', 'string', TO_BYTES],
    ]),
    convert('double', 'double', toDouble, [
      ['double_to_double', 'double'],
      ['int64_to_double', 'int'],
      ['string_to_double', 'string'],
      ['uint64_to_double', 'uint'],
    ]),
    convert('duration', DURATION, toDuration, [
      ['duration_to_duration', DURATION],
      ...(celGo < 29 ? [INTEGER_TO_DURATION] : []),
      ['string_to_duration', 'string'],
    ]),
    {
      name: 'dyn',
      overloads: [
        { id: 'to_dyn', signature: 'dyn(<A>) -> dyn', evaluate: (value) => value, price: UNIT, dispatch: 'singleton' },
      ],
    },
    convert('int', 'int', toInt, [
      ['int64_to_int64', 'int'],
      ['double_to_int64', 'double'],
      ['duration_to_int64', DURATION],
      ['string_to_int64', 'string'],
      ['timestamp_to_int64', TIMESTAMP],
      ['uint64_to_int64', 'uint'],
    ]),
    convert('string', 'string', toText, [
      ['string_to_string', 'string'],
      ['bool_to_string', 'bool'],
      ['bytes_to_string', 'bytes', FROM_BYTES],
      ['double_to_string', 'double'],
      ['duration_to_string', DURATION],
      ['int64_to_string', 'int'],
      ['timestamp_to_string', TIMESTAMP],
      ['uint64_to_string', 'uint'],
    ]),
    convert('timestamp', TIMESTAMP, timestampConversion(celGo), [
      ['timestamp_to_timestamp', TIMESTAMP],
      ['int64_to_timestamp', 'int'],
      ['string_to_timestamp', 'string'],
    ]),
    convert('uint', 'uint', toUint, [
      ['uint64_to_uint64', 'uint'],
      ['double_to_uint64', 'double'],
      ['int64_to_uint64', 'int'],
      ['string_to_uint64', 'string'],
    ]),
  ];
}

const INTEGER_TO_DURATION = ['int64_to_duration', 'int'] as const;

/** A conversion costs one unit unless its row specifies another price. */
function convert(
  name: string,
  result: string,
  evaluate: Overload['evaluate'],
  rows: readonly (readonly [id: string, source: string, price?: Price])[],
): FunctionDeclaration {
  const overloads = rows.map(([id, source, price = UNIT]) => {
    return { id, signature: `${name}(${source}) -> ${result}`, evaluate, price };
  });
  return { name, overloads };
}
