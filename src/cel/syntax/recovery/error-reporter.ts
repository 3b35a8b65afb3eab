// Forwards syntax errors until a limit is reached.
import { type Issue, NO_PLACE } from '../../issue/issue.ts';
import type { ParserLimits } from '../limits.ts';

export class ErrorReporter {
  readonly issues: Issue[] = [];
  readonly #limits: ParserLimits;
  #errors = 0;
  #isHalted = false;

  constructor(limits: ParserLimits) {
    this.#limits = limits;
  }

  /** True if a limit was reached: stop reading; nothing more is reported. */
  get isHalted(): boolean {
    return this.#isHalted;
  }

  report(message: string, offset: number): void {
    if (this.#isHalted) return;
    const isOneTooMany = this.#errors++ === this.#limits.errors;
    this.#add(`Syntax error: ${isOneTooMany ? `More than ${this.#limits.errors} syntax errors` : message}`, offset);
    this.#isHalted = isOneTooMany;
  }

  reportAndHalt(message: string, offset: number): void {
    this.report(message, offset);
    this.#isHalted = true;
  }

  halt(message: string): void {
    if (!this.#isHalted) this.#add(message, NO_PLACE);
    this.#isHalted = true;
  }

  #add(message: string, offset: number): void {
    this.issues.push({ kind: 'syntax', message, offset });
  }
}
