// Facts about a value before evaluation.
import { DYN, optionalOf, Type, typeParameter } from '../check/type.ts';
import { typeOf } from '../value/type-of.ts';
import { Optional, type Value } from '../value/value.ts';

export interface Known {
  /** The run-time type; `dyn` if it can be any type. */
  readonly type: Type;
  /** The value, if it is certain. */
  readonly value?: Value;
  /** For a field: every object of the type has it, so `has()` is true. */
  readonly isAlwaysThere?: boolean;
  /** Name of the lazily evaluated expression that computes the value. */
  readonly computedBy?: string;
}

export const UNKNOWN: Known = { type: DYN };

/** Element type of a list that is known to be empty. */
export const NOTHING_TYPE: Type = typeParameter('nothing');

export const NONE: Known = { type: optionalOf(NOTHING_TYPE), value: Optional.none };

/** Deeper types become `dyn`, because every level of a comprehension can double a type. */
const MAX_DEPTH = 6;

export function known(value: Value): Known {
  return { type: typeOf(value), value };
}

export function ofType(type: Type): Known {
  return { type: bounded(type, MAX_DEPTH) };
}

/** The type of a value that has one of both types. */
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
