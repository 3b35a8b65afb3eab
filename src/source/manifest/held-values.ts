// How many of the values that were read stay in memory: of a large repository the last, while the others are read again when asked for.
import { RecentTrees } from './recent-trees.ts';

/** Characters of the texts whose values are held. A value takes some five times the memory of its text. */
const MAXIMUM_CHARACTERS = 32 * 1024 * 1024;
/**
 * The same once there were more. Going through more than is held finds nothing that is held still; and what is given up soon was never
 * moved about by V8, which takes more than reading it again.
 */
const FEW_CHARACTERS = 512 * 1024;

/** What has values that can be read again. */
interface Rereadable {
  /** The same for as long as it lives. */
  readonly ref: WeakRef<Rereadable>;
  /** Gives up one of them; asked for again it is read again. */
  release(index: number): void;
}

interface RereadablePart {
  readonly index: number;
  /** Of its text. */
  readonly characters: number;
}

interface Held {
  readonly of: WeakRef<Rereadable>;
  readonly index: number;
  readonly characters: number;
}

/**
 * The values of one run, or of an editor's many: a document that nobody else knows any more is not kept alive. First in, first out: what
 * runs through all documents does so in their order.
 */
export class HeldValues {
  /** Held by themselves: hardly any document is asked for places. */
  readonly trees = new RecentTrees();
  #maximum: number;
  readonly #few: number;
  #held: Held[] = [];
  /** Those before it were released. */
  #first = 0;
  #characters = 0;

  /** With fewer characters values are read more often; what they are is the same. */
  constructor(maximum = MAXIMUM_CHARACTERS, few = FEW_CHARACTERS) {
    this.#maximum = maximum;
    this.#few = Math.min(maximum, few);
  }

  /** Reads a value again, and holds it. */
  read<Part extends RereadablePart, Value>(of: Rereadable, part: Part, read: (part: Part) => Value): Value {
    const value = read(part);
    this.hold(of, part);
    return value;
  }

  /** Once for each value that is read; the last is held whatever its length. */
  hold({ ref }: Rereadable, { index, characters }: RereadablePart): void {
    this.#held.push({ of: ref, index, characters });
    this.#characters += characters;
    if (this.#characters > this.#maximum) this.#maximum = this.#few;
    while (this.#characters > this.#maximum && this.#first < this.#held.length - 1) {
      const oldest = this.#held[this.#first];
      this.#first += 1;
      this.#characters -= oldest?.characters ?? 0;
      oldest?.of.deref()?.release(oldest.index);
    }
    if (this.#first > this.#held.length / 2) {
      this.#held = this.#held.slice(this.#first);
      this.#first = 0;
    }
  }
}
