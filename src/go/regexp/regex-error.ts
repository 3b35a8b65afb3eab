// Why a pattern cannot be compiled.

export interface RegexError {
  /** Go's text, e.g. "error parsing regexp: missing closing ]: `[`". */
  readonly error: string;
  /** Set if Go compiles the pattern but this implementation does not: the result is unknown. */
  readonly unsupported?: true;
}

export const TOO_LARGE: RegexError = { error: 'regular expression is too large to be evaluated', unsupported: true };
