// How much an expression may hold before its parsing is given up.

export interface ParserLimits {
  /** Of rules of one kind within each other, and of calls, selections and operators within each other. */
  readonly recursionDepth: number;
  readonly codePoints: number;
  /** Syntax errors reported. */
  readonly errors: number;
  /** Attempts to go on after an error. */
  readonly recoveries: number;
  /** Tokens that one such attempt may skip. */
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
