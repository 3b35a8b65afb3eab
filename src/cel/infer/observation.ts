// Observations about an expression during inference.
import type { Type } from '../check/type.ts';

export type Observation = UndefinedField | Mismatch | TestedField | Use;

/** Half-open, in code points of the expression's text. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/** The expression fails whenever it is evaluated. */
export interface UndefinedField extends Place {
  readonly kind: 'undefined-field';
  readonly object: Type;
  readonly field: string;
}

/** An operation on types that it does not support: it fails, or always gives the same result. */
export interface Mismatch extends Place {
  readonly kind: 'mismatch';
  readonly message: string;
  readonly types: readonly Type[];
}

/** `has(object.field)`, `object.?field` or `'field' in object`, which are valid whether or not the field exists. */
export interface TestedField extends Place {
  readonly kind: 'test';
  readonly object: Type;
  readonly field: string;
  readonly isDefined: boolean;
}

/** A use of a lazily evaluated expression. */
interface Use {
  readonly kind: 'use';
  readonly name: string;
}
