// Builds the decoded value of a scalar and optionally records the origin of each part.
import type { TextPieces } from './node.ts';

export class ScalarText {
  value = '';
  readonly #source: string;
  readonly #pieces: number[] | undefined;

  constructor(source: string, recordPieces: boolean) {
    this.#source = source;
    this.#pieces = recordPieces ? [] : undefined;
  }

  get pieces(): TextPieces | undefined {
    return this.#pieces;
  }

  /** Appends a part of the text verbatim. */
  copy(start: number, end: number): void {
    if (start === end) return;
    this.#pieces?.push(this.value.length, start, end);
    this.value += this.#source.slice(start, end);
  }

  /** Appends the decoded form of a part of the text. */
  replace(decoded: string, start: number, end: number): void {
    if (decoded === '') return;
    this.#pieces?.push(this.value.length, start, end);
    this.value += decoded;
  }
}
