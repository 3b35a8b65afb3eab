// Why a pattern has no compiled form.

export interface RegexError {
  /** Go's text, e.g. "error parsing regexp: missing closing ]: `[`". */
  readonly error: string;
  /** Set if Go would compile the pattern and only this implementation does not: the outcome is unknown. */
  readonly unsupported?: true;
}

export const TOO_LARGE: RegexError = { error: 'regular expression is too large to be evaluated', unsupported: true };
