// Text that counts what a matcher does with it, and stops a matcher that does too much.
import { Meter } from '../meter.ts';

/**
 * Stands in for the string that re2js is given: it reads through `charCodeAt` and searches through `indexOf`, and takes what
 * says that it is a String as well as strings. It does not extend String: with a class that does, V8 looks up the methods of all
 * strings of the program each time they are called.
 */
export class MeteredText {
  readonly length: number;
  readonly #text: string;
  readonly #workPerRead: number;
  readonly #meter: Meter;

  constructor(text: string, workPerRead: number, maxWork: number) {
    this.length = text.length;
    this.#text = text;
    this.#workPerRead = workPerRead;
    this.#meter = new Meter(maxWork);
  }

  get [Symbol.toStringTag](): string {
    return 'String';
  }

  toString(): string {
    return this.#text;
  }

  charCodeAt(index: number): number {
    this.#meter.spend(this.#workPerRead);
    return this.#text.charCodeAt(index);
  }

  indexOf(searched: string, from = 0): number {
    const found = this.#text.indexOf(searched, from);
    // A search is native code, which passes over many characters in the time of one instruction.
    this.#meter.spend(1 + (found < 0 ? this.#text.length - from : found - from) / 16);
    return found;
  }
}
