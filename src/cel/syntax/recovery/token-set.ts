// Sets of token types, and their format in messages (ANTLR's `IntervalSet`, Go runtime 4.13.0).
import { TOKEN_NAMES } from '../token.ts';

/** In a set of possible next tokens: the end of the rule. */
export const END_OF_RULE = -2;

/** Half-open. */
interface Interval {
  readonly start: number;
  readonly stop: number;
}

/**
 * Stored as sorted intervals like in ANTLR. If a new interval bridges several old ones, ANTLR merges only the first
 * two, so messages list the rest twice.
 */
export class TokenSet {
  readonly #intervals: Interval[] = [];

  add(types: readonly number[]): void {
    for (const type of types) this.#addInterval({ start: type, stop: type + 1 });
  }

  /** Adds the tokens of one transition; adjacent types form one interval. */
  addRange(types: readonly number[]): void {
    const range = new TokenSet();
    range.add(types);
    this.addAll(range);
  }

  addAll(other: TokenSet): void {
    for (const interval of other.#intervals) this.#addInterval(interval);
  }

  /** Removes `END_OF_RULE`, which is smaller than any token type. */
  deleteEndOfRule(): void {
    const [first] = this.#intervals;
    if (first?.start !== END_OF_RULE) return;
    if (first.stop === END_OF_RULE + 1) this.#intervals.shift();
    else this.#intervals[0] = { start: END_OF_RULE + 1, stop: first.stop };
  }

  has(type: number): boolean {
    return this.#intervals.some(({ start, stop }) => type >= start && type < stop);
  }

  /** The smallest type; 0 if the set is empty. */
  get first(): number {
    return this.#intervals[0]?.start ?? 0;
  }

  /** E.g. `{'[', '(', IDENTIFIER}`; without braces for a single type. */
  toString(): string {
    const names: string[] = [];
    for (const { start, stop } of this.#intervals) {
      for (let type = start; type < stop; type++) names.push(nameOf(type));
    }
    return names.length === 1 ? (names[0] as string) : `{${names.join(', ')}}`;
  }

  #addInterval(added: Interval): void {
    const intervals = this.#intervals;
    for (const [index, interval] of intervals.entries()) {
      if (added.stop < interval.start) {
        intervals.splice(index, 0, added);
        return;
      }
      if (added.stop === interval.start) {
        intervals[index] = { start: added.start, stop: interval.stop };
        return;
      }
      if (added.start <= interval.stop) {
        this.#merge(index, added);
        return;
      }
    }
    intervals.push(added);
  }

  #merge(index: number, added: Interval): void {
    const intervals = this.#intervals;
    const old = intervals[index] as Interval;
    const merged = { start: Math.min(old.start, added.start), stop: Math.max(old.stop, added.stop) };
    intervals[index] = merged;
    const next = intervals[index + 1];
    if (next === undefined || merged.stop < next.start) return;
    intervals.splice(index, 2, { start: merged.start, stop: Math.max(merged.stop, next.stop) });
  }
}

function nameOf(type: number): string {
  return type < 0 ? '<EOF>' : (TOKEN_NAMES[type] as string);
}
