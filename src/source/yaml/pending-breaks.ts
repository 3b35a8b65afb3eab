// Line breaks a YAML scanner has met but not yet given to a scalar: whether they fold is known only at the next text.
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

  /** Takes the break at the cursor and moves past it (`read_line`). */
  read(cursor: Cursor): void {
    const start = cursor.position;
    this.#texts.push(cursor.breakText());
    cursor.skipBreak();
    this.#places.push(start, cursor.position);
  }

  /** Appends the breaks from number `from` on. */
  appendTo(scalar: ScalarText, from: number): void {
    for (let index = from; index < this.#texts.length; index++) {
      const start = this.#places[index * 2] as number;
      scalar.replace(this.#texts[index] as string, start, this.#places[index * 2 + 1] as number);
    }
  }

  /**
   * Folds as flow scalars do: one LF becomes a space, of several the first is dropped, LS and PS stay.
   * `start` and `end` bound the white space that the space stands for.
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
