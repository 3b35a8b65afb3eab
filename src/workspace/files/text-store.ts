// Holds the texts of a run. In a large repository, only recently used ones stay uncompressed; YAML compresses to about a tenth.
import { LinedText } from '../../source/text/lined-text.ts';
import type { KeptText } from '../../source/text/source-file.ts';
import { compressed, decompressed } from './large-repository.ts';

interface TextLimits {
  /** Up to this total, in UTF-16 units, nothing is compressed. */
  readonly all: number;
  /** UTF-16 units of the texts that stay uncompressed. Passes over all files need each text only briefly. */
  readonly recent: number;
  /** Bytes that are compressed together: large enough to share content, small enough to read a single text quickly. */
  readonly block: number;
}

const LIMITS: TextLimits = { all: 64 * 1024 * 1024, recent: 2 * 1024 * 1024, block: 64 * 1024 };
/** Any character that needs more than one byte. */
const WIDE = /[^\0-\xff]/;

/** Texts that are compressed together. */
interface Block {
  /** Undefined while texts are added. */
  packed: Uint8Array | undefined;
  readonly texts: StoredText[];
  /** Uncompressed size. */
  bytes: number;
}

export class TextStore {
  readonly #limits: TextLimits;
  /** All texts; undefined once compression has started. */
  #all: StoredText[] | undefined = [];
  #characters = 0;
  #block: Block = newBlock();
  /** Compressed texts that are also held uncompressed, least recently read first. */
  #recent: StoredText[] = [];
  /** Entries before this index are released. */
  #first = 0;
  #recentCharacters = 0;
  /** The last decompressed block, because neighbouring texts are usually read together. */
  #inflated: { readonly block: Block; readonly bytes: Buffer } | undefined;

  /** Lower limits compress more; the texts do not change. */
  constructor(limits = LIMITS) {
    this.#limits = limits;
  }

  /** True once compression has started. */
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

  /** Called by a text that was released. */
  read(block: Block, start: number, length: number, isWide: boolean): string {
    if (this.#inflated?.block !== block) {
      this.#inflated = { block, bytes: decompressed(block.packed as Uint8Array, block.bytes) };
    }
    const { bytes } = this.#inflated;
    return isWide
      ? bytes.toString('utf16le', start, start + 2 * length)
      : bytes.toString('latin1', start, start + length);
  }

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

class StoredText implements KeptText {
  readonly length: number;
  readonly #store: TextStore;
  #isWide = false;
  /** Undefined: read it from the block. */
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

  /** Returns the encoded size: one or two bytes per UTF-16 unit. The encoding must preserve lone surrogates. */
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
