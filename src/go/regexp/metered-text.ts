// A text that counts a matcher's reads and stops a matcher that reads too much.
import { Meter } from '../meter.ts';

/**
 * Replaces the string for re2js, which reads with `charCodeAt`, searches with `indexOf`, and accepts any object that claims to be a String.
 * It must not extend String: such a subclass makes V8 look up the methods of all strings on every call.
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
    // A search is native code that scans many characters in the time of one instruction.
    this.#meter.spend(1 + (found < 0 ? this.#text.length - from : found - from) / 16);
    return found;
  }
}
