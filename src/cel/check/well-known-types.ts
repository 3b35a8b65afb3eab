// Types and messages that every environment has: `int`, `google.protobuf.Timestamp`, `google.protobuf.Int64Value{…}`.
import { TypeValue, type Value } from '../value/value.ts';
import {
  ANY,
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  STRING,
  struct,
  TIMESTAMP,
  TYPE,
  type Type,
  typeParameter,
  typeTypeOf,
  UINT,
  wrapperOf,
} from './type.ts';
import type { TypeProvider } from './type-provider.ts';

interface Message {
  /** The type of a literal of the message (cel-go `types.checkedWellKnowns`). */
  readonly type: Type;
  readonly fields: Readonly<Record<string, Type>>;
}

const EMPTY = 'google.protobuf.Empty';
const JSON_LIST = listOf(DYN);
const JSON_OBJECT = mapOf(STRING, DYN);
const TIME_FIELDS = { seconds: INT, nanos: INT };

/** The protobuf messages that every cel-go environment registers (`common/types/pb`). */
const MESSAGES: ReadonlyMap<string, Message> = new Map<string, Message>([
  ['google.protobuf.Any', { type: ANY, fields: { type_url: STRING, value: BYTES } }],
  ['google.protobuf.BoolValue', { type: wrapperOf(BOOL), fields: { value: BOOL } }],
  ['google.protobuf.BytesValue', { type: wrapperOf(BYTES), fields: { value: BYTES } }],
  ['google.protobuf.DoubleValue', { type: wrapperOf(DOUBLE), fields: { value: DOUBLE } }],
  ['google.protobuf.Duration', { type: DURATION, fields: TIME_FIELDS }],
  [EMPTY, { type: struct(EMPTY), fields: {} }],
  ['google.protobuf.FloatValue', { type: wrapperOf(DOUBLE), fields: { value: DOUBLE } }],
  ['google.protobuf.Int32Value', { type: wrapperOf(INT), fields: { value: INT } }],
  ['google.protobuf.Int64Value', { type: wrapperOf(INT), fields: { value: INT } }],
  ['google.protobuf.ListValue', { type: JSON_LIST, fields: { values: JSON_LIST } }],
  ['google.protobuf.StringValue', { type: wrapperOf(STRING), fields: { value: STRING } }],
  ['google.protobuf.Struct', { type: JSON_OBJECT, fields: { fields: JSON_OBJECT } }],
  ['google.protobuf.Timestamp', { type: TIMESTAMP, fields: TIME_FIELDS }],
  ['google.protobuf.UInt32Value', { type: wrapperOf(UINT), fields: { value: UINT } }],
  ['google.protobuf.UInt64Value', { type: wrapperOf(UINT), fields: { value: UINT } }],
  [
    'google.protobuf.Value',
    {
      type: DYN,
      fields: {
        null_value: INT,
        number_value: DOUBLE,
        string_value: STRING,
        bool_value: BOOL,
        struct_value: JSON_OBJECT,
        list_value: JSON_LIST,
      },
    },
  ],
]);

interface Identifier {
  readonly type: Type;
  readonly value: Value;
}

function typeIdentifier(type: Type, value: Type = type): readonly [string, Identifier] {
  return [type.name, { type: typeTypeOf(type), value: new TypeValue(value) }];
}

const IDENTIFIERS: ReadonlyMap<string, Identifier> = new Map<string, Identifier>([
  ...[BOOL, BYTES, DOUBLE, DURATION, INT, NULL, STRING, TIMESTAMP, TYPE, UINT].map((type) => typeIdentifier(type)),
  typeIdentifier(listOf(typeParameter('A')), listOf(DYN)),
  typeIdentifier(mapOf(typeParameter('A'), typeParameter('B')), mapOf(DYN, DYN)),
  ['google.protobuf.NullValue.NULL_VALUE', { type: INT, value: 0n }],
]);

export const WELL_KNOWN_TYPES: TypeProvider = {
  findStruct: (name) => MESSAGES.get(name)?.type,
  findField: (message, field) => {
    const fields = MESSAGES.get(message.name)?.fields;
    return fields !== undefined && Object.hasOwn(fields, field) ? fields[field] : undefined;
  },
  fieldNames: (message) => {
    const fields = MESSAGES.get(message.name)?.fields;
    return fields && Object.keys(fields);
  },
  findIdentifier: (name) => IDENTIFIERS.get(name),
};

/** The message whose fields a literal of this type has; undefined if the type does not represent a message. */
export function wellKnownMessageName(type: Type): string | undefined {
  switch (type.kind) {
    case 'any':
      return 'google.protobuf.Any';
    case 'timestamp':
      return 'google.protobuf.Timestamp';
    case 'duration':
      return 'google.protobuf.Duration';
    case 'dyn':
      return 'google.protobuf.Value';
    case 'null':
      return 'google.protobuf.NullValue';
    case 'list':
      return type.parameters[0] === DYN ? 'google.protobuf.ListValue' : undefined;
    case 'map':
      return type.parameters[0] === STRING && type.parameters[1] === DYN ? 'google.protobuf.Struct' : undefined;
    default:
      return type.nullable ? WRAPPER_NAMES[type.kind] : undefined;
  }
}

const WRAPPER_NAMES: Readonly<Partial<Record<Type['kind'], string>>> = {
  bool: 'google.protobuf.BoolValue',
  bytes: 'google.protobuf.BytesValue',
  double: 'google.protobuf.DoubleValue',
  int: 'google.protobuf.Int64Value',
  string: 'google.protobuf.StringValue',
  uint: 'google.protobuf.UInt64Value',
};
