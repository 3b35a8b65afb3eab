// Limits on the size of parsed expressions.

export interface ParserLimits {
  /** Nesting of rules of one kind, and of calls, selections and operators. */
  readonly recursionDepth: number;
  readonly codePoints: number;
  /** Maximum number of reported syntax errors. */
  readonly errors: number;
  /** Maximum number of error recoveries. */
  readonly recoveries: number;
  /** Maximum number of tokens that one recovery may skip. */
  readonly recoveryTokens: number;
}

/** cel-go `parser.NewParser`. */
export const DEFAULT_LIMITS: ParserLimits = {
  recursionDepth: 250,
  codePoints: 100_000,
  errors: 100,
  recoveries: 30,
  recoveryTokens: 256,
};
