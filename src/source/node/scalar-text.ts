// Builds the decoded value of a scalar while, on demand, recording which part came from where.
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

  /** Takes over a part of the text as it stands. */
  copy(start: number, end: number): void {
    if (start === end) return;
    this.#pieces?.push(this.value.length, start, end);
    this.value += this.#source.slice(start, end);
  }

  /** Appends what a part of the text stands for. */
  replace(decoded: string, start: number, end: number): void {
    if (decoded === '') return;
    this.#pieces?.push(this.value.length, start, end);
    this.value += decoded;
  }
}
