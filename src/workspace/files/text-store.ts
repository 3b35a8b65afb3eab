// The texts of a run: of a large repository the last that were asked for, the others compressed, as YAML shrinks to a tenth.
import { LinedText } from '../../source/text/lined-text.ts';
import type { KeptText } from '../../source/text/source-file.ts';
import { compressed, decompressed } from './large-repository.ts';

interface TextLimits {
  /** UTF-16 units of all texts; as long as they are fewer, nothing is compressed. */
  readonly all: number;
  /** UTF-16 units of those that stay at hand where others are compressed: who goes through the files needs each for a moment. */
  readonly recent: number;
  /** Bytes that are compressed together: enough that texts have something in common, and few to read for a single text. */
  readonly block: number;
}

const LIMITS: TextLimits = { all: 64 * 1024 * 1024, recent: 2 * 1024 * 1024, block: 64 * 1024 };
/** Any character that takes more than one byte. */
const WIDE = /[^\0-\xff]/;

/** Texts that are compressed together. */
interface Block {
  /** Undefined while texts are added. */
  packed: Uint8Array | undefined;
  readonly texts: StoredText[];
  /** Without compression. */
  bytes: number;
}

export class TextStore {
  readonly #limits: TextLimits;
  /** As long as nothing is compressed. */
  #all: StoredText[] | undefined = [];
  #characters = 0;
  #block: Block = newBlock();
  /** Those at hand that are compressed, too, in the order in which they were asked for. */
  #recent: StoredText[] = [];
  /** Those before it were given up. */
  #first = 0;
  #recentCharacters = 0;
  /** The block that was read last: neighbours are asked for one after the other. */
  #inflated: { readonly block: Block; readonly bytes: Buffer } | undefined;

  /** With lower limits more is compressed; what texts are is the same. */
  constructor(limits = LIMITS) {
    this.#limits = limits;
  }

  /** True once there are more than stay at hand. */
  get isLarge(): boolean {
    return this.#all === undefined;
  }

  add(text: string): KeptText {
    const stored = new StoredText(this, text);
    this.#characters += text.length;
    if (this.#all === undefined) this.#pack(stored);
    else {
      this.#all.push(stored);
      if (this.#characters > this.#limits.all) {
        const all = this.#all;
        this.#all = undefined;
        for (const each of all) this.#pack(each);
      }
    }
    return stored;
  }

  /** Asked by a text that was given up. */
  read(block: Block, start: number, length: number, isWide: boolean): string {
    if (this.#inflated?.block !== block) {
      this.#inflated = { block, bytes: decompressed(block.packed as Uint8Array, block.bytes) };
    }
    const { bytes } = this.#inflated;
    return isWide
      ? bytes.toString('utf16le', start, start + 2 * length)
      : bytes.toString('latin1', start, start + length);
  }

  /** Of those at hand the oldest are given up. */
  hold(text: StoredText): void {
    this.#recent.push(text);
    this.#recentCharacters += text.length;
    while (this.#recentCharacters > this.#limits.recent && this.#first < this.#recent.length - 1) {
      const oldest = this.#recent[this.#first] as StoredText;
      this.#first += 1;
      this.#recentCharacters -= oldest.length;
      oldest.giveUp();
    }
    if (this.#first > this.#recent.length / 2) {
      this.#recent = this.#recent.slice(this.#first);
      this.#first = 0;
    }
  }

  #pack(stored: StoredText): void {
    const block = this.#block;
    block.texts.push(stored);
    block.bytes += stored.placeIn(block, block.bytes);
    if (block.bytes < this.#limits.block) return;
    block.packed = compressed(block.texts.map((text) => text.encoded()));
    for (const text of block.texts) this.hold(text);
    block.texts.length = 0;
    this.#block = newBlock();
  }
}

function newBlock(): Block {
  return { packed: undefined, texts: [], bytes: 0 };
}

/** Belongs to its store. */
class StoredText implements KeptText {
  readonly length: number;
  readonly #store: TextStore;
  #isWide = false;
  /** Undefined: to be read from its block. */
  #text: LinedText | undefined;
  #block: Block | undefined;
  #start = 0;

  constructor(store: TextStore, text: string) {
    this.#store = store;
    this.length = text.length;
    this.#text = new LinedText(text);
  }

  read(): LinedText {
    if (this.#text === undefined) {
      this.#text = new LinedText(this.#store.read(this.#block as Block, this.#start, this.length, this.#isWide));
      this.#store.hold(this);
    }
    return this.#text;
  }

  encoded(): Buffer {
    return Buffer.from(this.read().text, this.#isWide ? 'utf16le' : 'latin1');
  }

  /** The bytes it takes: one for each UTF-16 unit, or two. No encoding that would change half of a pair. */
  placeIn(block: Block, start: number): number {
    this.#block = block;
    this.#start = start;
    this.#isWide = WIDE.test(this.read().text);
    return this.#isWide ? 2 * this.length : this.length;
  }

  giveUp(): void {
    this.#text = undefined;
  }
}
