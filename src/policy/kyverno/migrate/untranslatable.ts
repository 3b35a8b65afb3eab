// What a policy says and no expression can say, or none that is known to say the same.

/** Caught where a policy is translated; the message names the construct. */
export class Untranslatable extends Error {
  /** Empty where it is not about one rule. */
  readonly rule: string;

  constructor(message: string, rule = '') {
    super(message);
    this.rule = rule;
  }
}
