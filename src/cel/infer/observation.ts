// What was noticed about an expression while inferring what it gives.
import type { Type } from '../check/type.ts';

export type Observation = UndefinedField | Mismatch | TestedField | Use;

/** Code points of the expression's text, half-open. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/** Fails whenever it is evaluated. */
export interface UndefinedField extends Place {
  readonly kind: 'undefined-field';
  readonly object: Type;
  readonly field: string;
}

/** An operation on types it is not made for: it fails, or always gives the same. */
export interface Mismatch extends Place {
  readonly kind: 'mismatch';
  readonly message: string;
  /** Of the operands. */
  readonly types: readonly Type[];
}

/** `has(object.field)`, `object.?field`, `'field' in object`: nothing wrong, whatever the answer. */
export interface TestedField extends Place {
  readonly kind: 'test';
  readonly object: Type;
  readonly field: string;
  readonly isDefined: boolean;
}

/** The value of a lazily evaluated expression is asked for. */
interface Use {
  readonly kind: 'use';
  readonly name: string;
}
