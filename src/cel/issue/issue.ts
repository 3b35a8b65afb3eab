// A compile-time problem of an expression, in cel-go's words and at cel-go's place.

export interface Issue {
  readonly message: string;
  /** Code-point offset into the expression, from 0; `NO_PLACE` if the whole of it is meant, -1 for something missing. */
  readonly offset: number;
  /** End of the text concerned where known, for our own ranges; cel-go has none. */
  readonly end?: number;
  readonly kind: 'syntax' | 'check' | 'validate';
  /** A name that stands for nothing, with those that would. */
  readonly unknown?: UnknownName;
}

export interface UnknownName {
  readonly what: 'function' | 'variable' | 'field';
  readonly name: string;
  /** Fields of the type; of functions and variables the environment knows. */
  readonly known: readonly string[];
}

/** The offset of issues with the expression as a whole: it is too long, too deep … */
export const NO_PLACE = -2;
