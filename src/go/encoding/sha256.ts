// SHA-256 (FIPS 180-4), for fingerprints that are equal in Node and in browsers; not for secrets.

const INITIAL = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
] as const;
const BLOCK_BYTES = 64;

/** The fractional parts of the cube roots of the first 64 primes. */
const ROUND_WORDS = roundWords();

/** Scratch space that is rewritten for every block. */
const WORDS = new Int32Array(64);
const ENCODER = new TextEncoder();

/** Digests any number of texts, encoded as UTF-8, as one message. */
export class Sha256 {
  readonly #state = Int32Array.from(INITIAL);
  readonly #block = new Uint8Array(BLOCK_BYTES);
  #filled = 0;
  #bytes = 0;

  update(text: string): this {
    this.#add(ENCODER.encode(text));
    return this;
  }

  /** Hexadecimal, eight digits for each of `words`. Call only once, after the last text. */
  digest(words = 8): string {
    const block = this.#block;
    block.fill(0, this.#filled);
    block[this.#filled] = 0x80;
    if (this.#filled >= BLOCK_BYTES - 8) {
      this.#compress(block, 0);
      block.fill(0);
    }
    const high = Math.floor(this.#bytes / 2 ** 29);
    const low = (this.#bytes * 8) >>> 0;
    for (let index = 0; index < 4; index++) {
      block[56 + index] = high >>> (24 - index * 8);
      block[60 + index] = low >>> (24 - index * 8);
    }
    this.#compress(block, 0);
    let text = '';
    for (const word of this.#state.subarray(0, words)) text += (word >>> 0).toString(16).padStart(8, '0');
    return text;
  }

  #add(bytes: Uint8Array): void {
    const block = this.#block;
    this.#bytes += bytes.length;
    for (let offset = 0; offset < bytes.length; ) {
      if (this.#filled === 0 && bytes.length - offset >= BLOCK_BYTES) {
        this.#compress(bytes, offset);
        offset += BLOCK_BYTES;
        continue;
      }
      block[this.#filled++] = bytes[offset++] as number;
      if (this.#filled < BLOCK_BYTES) continue;
      this.#compress(block, 0);
      this.#filled = 0;
    }
  }

  #compress(bytes: Uint8Array, offset: number): void {
    const words = WORDS;
    for (let index = 0; index < 16; index++) {
      const at = offset + index * 4;
      words[index] =
        ((bytes[at] as number) << 24) |
        ((bytes[at + 1] as number) << 16) |
        ((bytes[at + 2] as number) << 8) |
        (bytes[at + 3] as number);
    }
    for (let index = 16; index < 64; index++) {
      const before15 = words[index - 15] as number;
      const before2 = words[index - 2] as number;
      const sigma0 = rotate(before15, 7) ^ rotate(before15, 18) ^ (before15 >>> 3);
      const sigma1 = rotate(before2, 17) ^ rotate(before2, 19) ^ (before2 >>> 10);
      words[index] = ((words[index - 16] as number) + sigma0 + (words[index - 7] as number) + sigma1) | 0;
    }
    const state = this.#state;
    let a = state[0] as number;
    let b = state[1] as number;
    let c = state[2] as number;
    let d = state[3] as number;
    let e = state[4] as number;
    let f = state[5] as number;
    let g = state[6] as number;
    let h = state[7] as number;
    for (let index = 0; index < 64; index++) {
      const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const choice = (e & f) ^ (~e & g);
      const first = (h + sum1 + choice + (ROUND_WORDS[index] as number) + (words[index] as number)) | 0;
      const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const majority = (a & b) ^ (a & c) ^ (b & c);
      h = g;
      g = f;
      f = e;
      e = (d + first) | 0;
      d = c;
      c = b;
      b = a;
      a = (first + sum0 + majority) | 0;
    }
    state[0] = (state[0] as number) + a;
    state[1] = (state[1] as number) + b;
    state[2] = (state[2] as number) + c;
    state[3] = (state[3] as number) + d;
    state[4] = (state[4] as number) + e;
    state[5] = (state[5] as number) + f;
    state[6] = (state[6] as number) + g;
    state[7] = (state[7] as number) + h;
  }
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

function roundWords(): Int32Array {
  const words = new Int32Array(64);
  let count = 0;
  for (let candidate = 2; count < 64; candidate++) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= candidate; divisor++) isPrime &&= candidate % divisor !== 0;
    if (isPrime) words[count++] = (Math.cbrt(candidate) % 1) * 2 ** 32;
  }
  return words;
}
