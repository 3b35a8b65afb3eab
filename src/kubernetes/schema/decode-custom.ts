// Types with their own JSON decoding: quantities, times, int-or-string, raw JSON and the unions in a CustomResourceDefinition's schema.
import { formatTime, isZeroTime, RFC3339, RFC3339_MICRO } from '../../go/time/time.ts';
import { parseTime } from '../../go/time/time-layout.ts';
import { isJsonArray, isJsonObject, type JsonArray, type JsonValue } from '../../source/json/json.ts';
import { formatQuantity, parseQuantity } from '../quantity/quantity.ts';
import { numberText } from './json-word.ts';
import type { FieldType, Struct } from './struct.ts';

type CustomFieldType = Extract<FieldType, { form: 'custom' }>;

/** The enclosing decoder, for types with their own decoding. */
export interface EnclosingDecoder {
  /** Ends decoding with a message that names no field. */
  fatal(message: string): null;
  /** Ends decoding with a mismatch. */
  fatalMismatch(value: JsonValue, goName: string, valueText?: string): null;
  /** Decodes in a separate call: ignores unknown fields and stops at the first error. */
  nested(decode: () => JsonValue): JsonValue;
  struct(struct: Struct, value: JsonValue): JsonValue;
  listOf(struct: Struct, values: JsonArray): JsonValue;
  value(type: FieldType, value: JsonValue): JsonValue;
}

/** `value` is not null. */
export function decodeCustom(decoder: EnclosingDecoder, type: CustomFieldType, value: JsonValue): JsonValue {
  switch (type.custom) {
    case 'resource.Quantity':
      return decodeQuantity(decoder, value);
    case 'intstr.IntOrString':
      return typeof value === 'string' ? value : decodeInt32(decoder, value);
    case 'meta/v1.Time':
      return decodeTime(decoder, value, RFC3339);
    case 'meta/v1.MicroTime':
      return decodeTime(decoder, value, RFC3339_MICRO);
    case 'JSONSchemaPropsOrArray':
      return decoder.nested(() => decodeSchemas(decoder, type, value));
    case 'JSONSchemaPropsOrBool':
      return decoder.nested(() => decodeSchemaOrBool(decoder, type, value));
    case 'JSONSchemaPropsOrStringArray':
      return decoder.nested(() => decodeSchemaOrNames(decoder, type, value));
    default:
      return value;
  }
}

/** Parses the JSON text between the quotes without unescaping it (`Quantity.UnmarshalJSON`). */
function decodeQuantity(decoder: EnclosingDecoder, value: JsonValue): JsonValue {
  let text = '{';
  if (typeof value === 'string') text = quantityText(value);
  else if (typeof value === 'bigint' || typeof value === 'number') text = numberText(value);
  const quantity = parseQuantity(text);
  return 'error' in quantity ? decoder.fatal(quantity.error) : formatQuantity(quantity);
}

/** Undefined if the text is not a quantity. */
export function canonicalQuantity(value: string): string | undefined {
  const quantity = parseQuantity(quantityText(value));
  return 'error' in quantity ? undefined : formatQuantity(quantity);
}

function quantityText(value: string): string {
  return JSON.stringify(value).slice(1, -1).trim();
}

function decodeInt32(decoder: EnclosingDecoder, value: JsonValue): JsonValue {
  if (typeof value !== 'bigint' && typeof value !== 'number') return decoder.fatalMismatch(value, 'int32');
  const integer = typeof value === 'bigint' || Number.isInteger(value) ? BigInt(value) : undefined;
  if (integer !== undefined && BigInt.asIntN(32, integer) === integer) return integer;
  return decoder.fatalMismatch(value, 'int32', `number ${numberText(value)}`);
}

function decodeTime(
  decoder: EnclosingDecoder,
  value: JsonValue,
  layout: typeof RFC3339 | typeof RFC3339_MICRO,
): JsonValue {
  if (typeof value !== 'string') return decoder.fatalMismatch(value, 'string');
  const time = parseTime(layout, value);
  if ('error' in time) return decoder.fatal(time.error);
  return isZeroTime(time) ? null : formatTime(time, layout);
}

/** Ignores anything but an object or a list of objects. */
function decodeSchemas(decoder: EnclosingDecoder, { content }: CustomFieldType, value: JsonValue): JsonValue {
  if (content === undefined) return null;
  if (isJsonObject(value)) return decoder.struct(content, value);
  return isJsonArray(value) && value.length > 0 ? decoder.listOf(content, value) : null;
}

function decodeSchemaOrBool(decoder: EnclosingDecoder, { content }: CustomFieldType, value: JsonValue): JsonValue {
  if (isJsonObject(value) && content !== undefined) return decoder.struct(content, value);
  return typeof value === 'boolean' ? value : decoder.fatal('boolean or JSON schema expected');
}

function decodeSchemaOrNames(decoder: EnclosingDecoder, { content }: CustomFieldType, value: JsonValue): JsonValue {
  if (isJsonObject(value) && content !== undefined) return decoder.struct(content, value);
  return isJsonArray(value) && value.length > 0 ? decoder.value(NAMES, value) : null;
}

const NAMES: FieldType = { form: 'list', goName: '[]string', element: { form: 'string', goName: 'string' } };
