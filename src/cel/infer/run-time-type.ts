// Properties of types at run time, when lists and maps do not have element types.
import type { Type } from '../check/type.ts';
import { LIST, MAP } from '../value/type-of.ts';
import { TypeValue } from '../value/value.ts';
import { type Known, known, UNKNOWN } from './known.ts';

const NUMBERS: ReadonlySet<Type['kind']> = new Set<Type['kind']>(['double', 'int', 'uint']);
const SCALARS: ReadonlySet<Type['kind']> = new Set<Type['kind']>([
  ...NUMBERS,
  'bool',
  'bytes',
  'duration',
  'string',
  'timestamp',
]);

/** True for types without fields or elements. */
export function isScalar({ kind }: Type): boolean {
  return SCALARS.has(kind);
}

export function isOptional(type: Type): boolean {
  return type.kind === 'opaque' && type.name === 'optional_type';
}

/** False for two number types, which are compared by value. */
export function canNeverBeEqual(one: Type, other: Type): boolean {
  if (!isScalar(one) || !isScalar(other) || one.kind === other.kind) return false;
  return !(NUMBERS.has(one.kind) && NUMBERS.has(other.kind));
}

/** The result of `type(x)`. */
export function typeOfValue(type: Type): Known {
  if (isScalar(type) || type.kind === 'null') return known(new TypeValue(type));
  if (type.kind === 'list') return known(new TypeValue(LIST));
  return type.kind === 'map' ? known(new TypeValue(MAP)) : UNKNOWN;
}
