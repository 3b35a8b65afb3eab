// How much an expression may hold (cel-go `parser.NewParser` defaults).

export const MAX_RECURSION_DEPTH = 250;
export const MAX_CODE_POINTS = 100_000;
export const MAX_SYNTAX_ERRORS = 100;
export const MAX_RECOVERY_ATTEMPTS = 30;
/** Tokens that one attempt to recover may skip. */
export const MAX_RECOVERY_TOKENS = 256;
