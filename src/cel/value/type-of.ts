// The run-time type of a value, with its CEL name and its Go name.
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  opaque,
  STRING,
  TIMESTAMP,
  Type,
  typeTypeOf as typeOfType,
  UINT,
} from '../check/type.ts';
import { Bytes, Duration, Timestamp, Uint } from './scalar.ts';
import { ErrorValue, OpaqueValue, Optional, StructValue, TypeValue, type Value } from './value.ts';

/** Lists and maps have no element types at run time. */
export const LIST: Type = listOf(DYN);
export const MAP: Type = mapOf(DYN, DYN);
export const OPTIONAL: Type = opaque('optional_type');
const TYPE: Type = new Type('type', 'type');
const ERROR: Type = opaque('error');

export function typeOf(value: Value): Type {
  switch (typeof value) {
    case 'string':
      return STRING;
    case 'bigint':
      return INT;
    case 'number':
      return DOUBLE;
    case 'boolean':
      return BOOL;
  }
  if (value === null) return NULL;
  if (Array.isArray(value)) return LIST;
  if (value instanceof Map) return MAP;
  if (value instanceof Uint) return UINT;
  if (value instanceof Bytes) return BYTES;
  if (value instanceof Timestamp) return TIMESTAMP;
  if (value instanceof Duration) return DURATION;
  if (value instanceof Optional) return OPTIONAL;
  if (value instanceof TypeValue) return TYPE;
  if (value instanceof StructValue || value instanceof OpaqueValue) return value.type;
  if (value instanceof ErrorValue) return ERROR;
  return MAP;
}

/** The result of `type()`. Types of Kubernetes' own objects are wrapped (`ObjectVal.ConvertToType`). */
export function typeValueOf(value: Value): TypeValue {
  const type = typeOf(value);
  const wrapped = value instanceof StructValue && !type.name.startsWith('google.protobuf.');
  return new TypeValue(wrapped ? typeOfType(type) : type);
}

/** Go's `%T` of the value inside cel-go, e.g. `types.String`, `*types.baseMap`. */
export function goTypeOf(value: Value): string {
  switch (typeof value) {
    case 'string':
      return 'types.String';
    case 'bigint':
      return 'types.Int';
    case 'number':
      return 'types.Double';
    case 'boolean':
      return 'types.Bool';
  }
  if (value === null) return 'types.Null';
  if (Array.isArray(value)) return '*types.baseList';
  if (value instanceof Uint) return 'types.Uint';
  if (value instanceof Bytes) return 'types.Bytes';
  if (value instanceof Timestamp) return 'types.Timestamp';
  if (value instanceof Duration) return 'types.Duration';
  if (value instanceof Optional) return '*types.Optional';
  if (value instanceof TypeValue) return '*types.Type';
  if (value instanceof StructValue) return '*dynamic.ObjectVal';
  if (value instanceof OpaqueValue) return value.goType;
  if (value instanceof ErrorValue) return '*types.Err';
  return '*types.baseMap';
}
