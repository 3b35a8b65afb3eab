// A schema as the server's storage returns it (apiextensions `v1/conversion.go: Convert_apiextensions_JSON_To_v1_JSON`).
import { isJsonArray, isJsonObject, type JsonValue } from '../../../source/json/json.ts';
import { additionalSchema, type Schema } from './schema.ts';

const MIN_INT64 = -0x8000_0000_0000_0000n;
const MAX_INT64 = 0x7fff_ffff_ffff_ffffn;

/** Changes only defaults and enumeration members. */
export function storedSchema(schema: Schema): Schema {
  const { values, properties, items } = schema;
  return {
    ...schema,
    default: schema.default === undefined ? undefined : storedJson(schema.default),
    properties: properties && new Map([...properties].map(([name, property]) => [name, storedSchema(property)])),
    additionalProperties: storedOrUndefined(additionalSchema(schema)) ?? schema.additionalProperties,
    items: storedOrUndefined(items),
    values: {
      ...values,
      enum: values.enum.map(storedJson),
      allOf: values.allOf.map(storedSchema),
      anyOf: values.anyOf.map(storedSchema),
      oneOf: values.oneOf.map(storedSchema),
      not: storedOrUndefined(values.not),
    },
  };
}

function storedOrUndefined(schema: Schema | undefined): Schema | undefined {
  return schema && storedSchema(schema);
}

/** A double without a fraction is stored as an integer, and read as an integer if it fits: `1.0` becomes `1`. */
function storedJson(value: JsonValue): JsonValue {
  if (isJsonArray(value)) return value.map(storedJson);
  if (isJsonObject(value)) return new Map([...value].map(([key, item]) => [key, storedJson(item)]));
  if (typeof value !== 'number') return value;
  const text = String(value);
  if (!/^-?[0-9]+$/.test(text)) return value;
  const integer = BigInt(text);
  return integer >= MIN_INT64 && integer <= MAX_INT64 ? integer : value;
}
