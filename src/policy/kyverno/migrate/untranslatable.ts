// A construct of a policy without an equivalent CEL expression.

/** Caught when translating a policy. The message names the construct. */
export class Untranslatable extends Error {
  /** Empty if it concerns the whole policy. */
  readonly rule: string;

  constructor(message: string, rule = '') {
    super(message);
    this.rule = rule;
  }
}
