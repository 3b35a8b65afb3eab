// Seeded random choices for the calls of a port. The same seed makes the same calls.

export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** At least 0 and below `bound`. */
  below(bound: number): number {
    // mulberry32
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }

  /** True in `percent` of 100 calls. */
  in(percent: number): boolean {
    return this.below(100) < percent;
  }

  /** Between `least` and `most` results of `make`. */
  several<T>(least: number, most: number, make: (index: number) => T): T[] {
    return Array.from({ length: least + this.below(most - least + 1) }, (_, index) => make(index));
  }

  /** One of the texts, sometimes with a small change. */
  text(texts: readonly string[]): string {
    const text = this.pick(texts);
    return this.in(25) ? this.#changed(text, texts) : text;
  }

  #changed(text: string, texts: readonly string[]): string {
    const characters = [...text];
    const at = this.below(characters.length + 1);
    const before = characters.slice(0, at).join('');
    const after = characters.slice(at).join('');
    const other = [...this.pick(texts)];
    switch (this.below(6)) {
      case 0:
        return before + characters.slice(at + 1).join('');
      case 1:
        return before + this.pick(INSERTED) + after;
      case 2:
        return before + this.pick(other.length === 0 ? INSERTED : other) + after;
      case 3:
        return before + other.slice(this.below(other.length + 1)).join('');
      case 4:
        return before + (characters[at] ?? '') + after;
      default:
        return before + this.pick(INSERTED) + characters.slice(at + 1).join('');
    }
  }
}

const INSERTED = [
  ...[
    ' ',
    '0',
    '1',
    '9',
    'a',
    'Z',
    '-',
    '+',
    '.',
    ',',
    ':',
    '/',
    '*',
    '?',
    '[',
    ']',
    '(',
    ')',
    '{',
    '}',
    '$',
    '%',
    '\\',
    '"',
    "'",
    '&',
    '=',
  ],
  ...[
    '\u0000',
    '\t',
    '\n',
    '\u007f',
    '\u0085',
    '\u00a0',
    'é',
    'ß',
    'İ',
    '\u0301',
    '\u2028',
    '\ufeff',
    '\ufffd',
    '日',
    '😀',
    '\u{10ffff}',
  ],
];

/** A seed that depends on each character of the text. */
export function seedOf(text: string): number {
  let seed = 2_166_136_261;
  for (const character of text) seed = Math.imul(seed ^ (character.codePointAt(0) ?? 0), 16_777_619);
  return seed >>> 0;
}
