// Limits how many decoded values stay in memory; in a large repository the older ones are released and decoded again on demand.
import { RecentTrees } from './recent-trees.ts';

/** Maximum length of the texts whose values are held, in characters. A value takes about five times the memory of its text. */
const MAXIMUM_CHARACTERS = 32 * 1024 * 1024;
/**
 * The limit once the maximum was exceeded. A pass over more documents than fit never hits the cache. Releasing values
 * early spares V8 from moving them between heap generations, which costs more than decoding them again.
 */
const FEW_CHARACTERS = 512 * 1024;

/** Owns values that can be decoded again. */
interface Rereadable {
  /** The same reference for the life of the object. */
  readonly ref: WeakRef<Rereadable>;
  /** Releases one value; the next access decodes it again. */
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
 * The values of one run, or of an editor's successive runs. It does not keep a document alive that has no other user.
 * First in, first out, because a pass over all documents follows their order.
 */
export class HeldValues {
  /** Has its own limit, because few documents need locations. */
  readonly trees = new RecentTrees();
  #maximum: number;
  readonly #few: number;
  #held: Held[] = [];
  /** Entries before this index are released. */
  #first = 0;
  #characters = 0;

  /** A lower limit makes values be decoded more often; results do not change. */
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

  /** Once for each value that is read; the last is held regardless of its length. */
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
