// Line breaks that the scanner has read but not yet added to a scalar. The next text decides whether they fold.
import type { ScalarText } from '../node/scalar-text.ts';
import type { Cursor } from './cursor.ts';

export class PendingBreaks {
  readonly #texts: string[] = [];
  readonly #places: number[] = [];

  get isEmpty(): boolean {
    return this.#texts.length === 0;
  }

  get first(): string | undefined {
    return this.#texts[0];
  }

  /** Consumes the break at the cursor (`read_line`). */
  read(cursor: Cursor): void {
    const start = cursor.position;
    this.#texts.push(cursor.breakText());
    cursor.skipBreak();
    this.#places.push(start, cursor.position);
  }

  /** Appends the breaks from index `from` on. */
  appendTo(scalar: ScalarText, from: number): void {
    for (let index = from; index < this.#texts.length; index++) {
      const start = this.#places[index * 2] as number;
      scalar.replace(this.#texts[index] as string, start, this.#places[index * 2 + 1] as number);
    }
  }

  /**
   * Folds as flow scalars do: a single LF becomes a space, of several LFs the first is dropped, LS and PS are kept.
   * `start` and `end` are the range of the white space that the space replaces.
   */
  foldInto(scalar: ScalarText, start: number, end: number): void {
    if (this.first !== '\n') this.appendTo(scalar, 0);
    else if (this.#texts.length === 1) scalar.replace(' ', start, end);
    else this.appendTo(scalar, 1);
    this.clear();
  }

  clear(): void {
    this.#texts.length = 0;
    this.#places.length = 0;
  }
}
