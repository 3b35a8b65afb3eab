// Go's zero values in objects, for fields that are written without a value.
import type { JsonValue } from '../../source/json/json.ts';
import type { Field, FieldType, Struct } from './struct.ts';

export function zeroField(field: Field): JsonValue {
  return field.isPointer ? null : zeroValue(field.type);
}

/** Lists, maps and byte slices are nil and written as null. */
export function zeroValue(type: FieldType): JsonValue {
  switch (type.form) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'integer':
      return 0n;
    case 'float':
      return 0;
    case 'struct':
      return zeroStruct(type.struct);
    case 'custom':
      return ZERO_CUSTOM.get(type.custom) ?? null;
    default:
      return null;
  }
}

export function zeroStruct(struct: Struct): Map<string, JsonValue> {
  return new Map(struct.alwaysWritten.map((field) => [field.name, zeroField(field)]));
}

/** Other types, including times, are written as null. */
const ZERO_CUSTOM: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['resource.Quantity', '0'],
  ['intstr.IntOrString', 0n],
  ['JSONSchemaPropsOrBool', false],
]);
