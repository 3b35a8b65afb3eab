// How many of the values that were read stay in memory: of a large repository the last, while the others are read again when asked for.
import { RecentTrees } from './recent-trees.ts';

/** Characters of the texts whose values are held. A value takes some five times the memory of its text. */
const MAXIMUM_CHARACTERS = 32 * 1024 * 1024;

/** What can be read again. */
interface Rereadable {
  /** The length of its text. */
  readonly characters: number;
  /** Gives up the value; asked for again it is read again. */
  release(): void;
}

/** The values of one run. First in, first out: what runs through all documents does so in their order. */
export class HeldValues {
  /** Held by themselves: hardly any document is asked for places. */
  readonly trees = new RecentTrees();
  readonly #maximum: number;
  #held: Rereadable[] = [];
  /** Those before it were released. */
  #first = 0;
  #characters = 0;

  /** With fewer characters values are read more often; what they are is the same. */
  constructor(maximum = MAXIMUM_CHARACTERS) {
    this.#maximum = maximum;
  }

  /** Once after each reading; the last is held whatever its length. */
  hold(document: Rereadable): void {
    this.#held.push(document);
    this.#characters += document.characters;
    while (this.#characters > this.#maximum && this.#first < this.#held.length - 1) {
      const oldest = this.#held[this.#first] as Rereadable;
      this.#characters -= oldest.characters;
      this.#first += 1;
      oldest.release();
    }
    if (this.#first > this.#held.length / 2) {
      this.#held = this.#held.slice(this.#first);
      this.#first = 0;
    }
  }
}
