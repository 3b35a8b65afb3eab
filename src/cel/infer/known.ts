// What can be said of a value before it is there.
import { DYN, optionalOf, Type, typeParameter } from '../check/type.ts';
import { typeOf } from '../value/type-of.ts';
import { Optional, type Value } from '../value/value.ts';

export interface Known {
  /** At run time; `dyn` where it can be any. */
  readonly type: Type;
  /** The value, where it cannot be another. */
  readonly value?: Value;
  /** Of a field: it is there in every object of its type, so that `has()` is true. */
  readonly isAlwaysThere?: boolean;
  /** Name of the lazily evaluated expression that gives the value. */
  readonly computedBy?: string;
}

export const UNKNOWN: Known = { type: DYN };

/** Element type of a list that is empty as far as is known. */
export const NOTHING_TYPE: Type = typeParameter('nothing');

export const NONE: Known = { type: optionalOf(NOTHING_TYPE), value: Optional.none };

/** Deeper types are `dyn`: comprehensions can double a type with every level. */
const MAX_DEPTH = 6;

export function known(value: Value): Known {
  return { type: typeOf(value), value };
}

export function ofType(type: Type): Known {
  return { type: bounded(type, MAX_DEPTH) };
}

/** The type of a value that is one or the other. */
export function join(one: Type, other: Type): Type {
  if (one === other || other === NOTHING_TYPE) return one;
  if (one === NOTHING_TYPE) return other;
  const { kind, name, parameters } = one;
  if (kind !== other.kind || name !== other.name || parameters.length !== other.parameters.length) return DYN;
  if (parameters.length === 0) return one;
  const joined = parameters.map((parameter, index) => join(parameter, other.parameters[index] as Type));
  return new Type(kind, name, joined);
}

function bounded(type: Type, depth: number): Type {
  if (type.parameters.length === 0) return type;
  if (depth === 0) return DYN;
  return new Type(
    type.kind,
    type.name,
    type.parameters.map((parameter) => bounded(parameter, depth - 1)),
  );
}
