// A compile-time problem of an expression, in cel-go's words and at cel-go's place.

export interface Issue {
  readonly message: string;
  /** Code-point offset into the expression, from 0. */
  readonly offset: number;
  /** End of the text concerned where known, for our own ranges; cel-go has none. */
  readonly end?: number;
  readonly kind: 'syntax' | 'check' | 'validate';
}
