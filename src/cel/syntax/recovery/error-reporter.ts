// Passes syntax errors on until there are too many of them, or something else is too much.
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

  /** A limit was hit: nothing more is to be read, and nothing is reported any more. */
  get isHalted(): boolean {
    return this.#isHalted;
  }

  report(message: string, offset: number): void {
    if (this.#isHalted) return;
    const isOneTooMany = this.#errors++ === this.#limits.errors;
    this.#add(`Syntax error: ${isOneTooMany ? `More than ${this.#limits.errors} syntax errors` : message}`, offset);
    this.#isHalted = isOneTooMany;
  }

  /** Reports one last error. */
  reportAndHalt(message: string, offset: number): void {
    this.report(message, offset);
    this.#isHalted = true;
  }

  /** For what is wrong with the expression as a whole. */
  halt(message: string): void {
    if (!this.#isHalted) this.#add(message, NO_PLACE);
    this.#isHalted = true;
  }

  #add(message: string, offset: number): void {
    this.issues.push({ kind: 'syntax', message, offset });
  }
}
