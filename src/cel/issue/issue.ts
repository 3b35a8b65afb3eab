// A compile-time problem of an expression, with cel-go's message and location.

export interface Issue {
  readonly message: string;
  /** 0-based code-point offset in the expression; `NO_PLACE` for the whole expression, -1 for a missing part. */
  readonly offset: number;
  /** End of the affected text if known; cel-go reports only the start. */
  readonly end?: number;
  readonly kind: 'syntax' | 'check' | 'validate';
  /** An unknown name, with the known ones. */
  readonly unknown?: UnknownName;
}

export interface UnknownName {
  readonly what: 'function' | 'variable' | 'field';
  readonly name: string;
  /** Fields of the type, or functions and variables of the environment. */
  readonly known: readonly string[];
}

/** Offset of issues with the whole expression, e.g. if it is too long or too deep. */
export const NO_PLACE = -2;
