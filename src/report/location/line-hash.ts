// Line fingerprints of code scanning, which keep an alert the same when lines above it move.
import type { SourceFile } from '../../source/text/source-file.ts';
import type { Place } from '../report.ts';

const WINDOW = 100;
const FACTOR = 37;
const TWO_32 = 0x1_0000_0000;
const END_OF_FILE = 0xffff;

/**
 * `primaryLocationLineHash` of every line (from 1), as github/codeql-action `src/fingerprints.ts` computes it: a rolling polynomial hash
 * modulo 2^64 over the first 100 UTF-16 units from the start of the line on, without spaces and tabs, with line ends as `\n`; then `:n`,
 * the ordinal of the line among lines with the same hash.
 */
export function lineHashes(text: string): HashedLines {
  const hashes: number[] = [];
  const occurrences = new Map<string, number>();
  const units = new Uint16Array(WINDOW);
  const lines = new Int32Array(WINDOW);
  const [leavingHigh, leavingLow] = leavingFactor();
  let high = 0;
  let low = 0;
  let at = 0;
  let line = 0;
  let lineStarts = true;

  const finishLine = (): void => {
    const finished = lines[at] as number;
    if (finished === 0) return;
    const hash = String.fromCharCode(high >>> 16, high & 0xffff, low >>> 16, low & 0xffff);
    const count = (occurrences.get(hash) ?? 0) + 1;
    occurrences.set(hash, count);
    // Lines end in the order in which they started.
    hashes.push(high, low, count);
    lines[at] = 0;
  };

  // Both halves stay below 2^53, so the products are exact.
  const roll = (unit: number): void => {
    const leaving = units[at] as number;
    units[at] = unit;
    const nextLow = FACTOR * low + unit - leavingLow * leaving;
    const carry = Math.floor(nextLow / TWO_32);
    low = nextLow - carry * TWO_32;
    high = modulo32(FACTOR * high + carry - leavingHigh * leaving);
    at = (at + 1) % WINDOW;
  };

  const take = (unit: number): void => {
    finishLine();
    if (lineStarts) {
      lineStarts = false;
      line += 1;
      lines[at] = line;
    }
    if (unit === 10) lineStarts = true;
    roll(unit);
  };

  let afterReturn = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const skipped = unit === 32 || unit === 9 || (unit === 10 && afterReturn);
    afterReturn = unit === 13;
    if (!skipped) take(unit === 13 ? 10 : unit);
  }
  take(END_OF_FILE);
  for (let rest = 0; rest < WINDOW; rest++) {
    finishLine();
    roll(0);
  }
  return new HashedLines(hashes);
}

/** Stores numbers: few lines of a file are requested, and all hashes as texts would need more memory than the file. */
class HashedLines {
  /** For each line, both halves of its hash and its ordinal. */
  readonly #numbers: Uint32Array;

  constructor(numbers: readonly number[]) {
    this.#numbers = Uint32Array.from(numbers);
  }

  get count(): number {
    return this.#numbers.length / 3;
  }

  /** `line`: from 1. Undefined for a line that does not exist. */
  of(line: number): string | undefined {
    const [high, low, count] = this.#numbers.subarray((line - 1) * 3, line * 3);
    return high === undefined || low === undefined ? undefined : `${hexadecimal(high, low)}:${count}`;
  }
}

/** Size of one cache generation, in files. Hashes are large, and findings arrive file by file. */
const GENERATION = 256;

/** Cache of line hashes; one instance per run. */
export class LineHashes {
  #recent = new Map<SourceFile, HashedLines>();
  #older = new Map<SourceFile, HashedLines>();
  /** Cached locations of the most recent file: findings arrive file by file, and many share a location. */
  readonly #places = new Map<Place, Place>();
  #file: SourceFile | undefined;

  /** The location with its line hash, or without one if the line does not exist. Returns the same object for the same location. */
  placeWithHash(place: Place, file: SourceFile): Place {
    if (file !== this.#file) this.#places.clear();
    this.#file = file;
    const known = this.#places.get(place);
    if (known !== undefined) return known;
    const lineHash = this.of(file, place.startLine);
    const hashed = lineHash === undefined ? place : { ...place, lineHash };
    this.#places.set(place, hashed);
    return hashed;
  }

  /** Undefined only for a line that does not exist. */
  of(file: SourceFile, line: number): string | undefined {
    let hashes = this.#recent.get(file);
    if (hashes === undefined) {
      hashes = this.#older.get(file) ?? lineHashes(file.text);
      if (this.#recent.size >= GENERATION) {
        this.#older = this.#recent;
        this.#recent = new Map();
      }
      this.#recent.set(file, hashes);
    }
    return hashes.of(line);
  }
}

/** 37^100 modulo 2^64: weight of the unit that leaves the window. */
function leavingFactor(): readonly [high: number, low: number] {
  let high = 0;
  let low = 1;
  for (let power = 0; power < WINDOW; power++) {
    const nextLow = FACTOR * low;
    const carry = Math.floor(nextLow / TWO_32);
    low = nextLow - carry * TWO_32;
    high = modulo32(FACTOR * high + carry);
  }
  return [high, low];
}

function modulo32(value: number): number {
  return value - Math.floor(value / TWO_32) * TWO_32;
}

function hexadecimal(high: number, low: number): string {
  return high === 0 ? low.toString(16) : high.toString(16) + low.toString(16).padStart(8, '0');
}
