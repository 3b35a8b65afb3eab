// Go's `sort.Slice`. It is not stable, so the order of equal elements depends on each step of the algorithm.

/** True if the element at position `i` must come before the one at `j`. */
type Less = (i: number, j: number) => boolean;

/** The indices 0 … `length`-1 in sorted order; `less` receives these indices. */
export function sortOrder(length: number, less: (a: number, b: number) => boolean): number[] {
  const order = Array.from({ length }, (_, index) => index);
  const sorter = new PatternDefeatingSorter(order, (i, j) => less(order[i] as number, order[j] as number));
  sorter.sort(0, length, bitLength(length));
  return order;
}

const MAX_INSERTION_LENGTH = 12;
const MIN_NINTHER_LENGTH = 50;
const MIN_SHIFT_LENGTH = 50;
const MAX_SHIFTS = 5;
const MAX_PIVOT_SWAPS = 12;

/** Ranges are half-open. */
class PatternDefeatingSorter {
  readonly #order: number[];
  readonly #less: Less;
  /** Swaps while the last pivot was chosen: none for ascending order, the maximum for descending order. */
  #pivotSwaps = 0;

  constructor(order: number[], less: Less) {
    this.#order = order;
    this.#less = less;
  }

  /** Switches to heap sort after `badPivots` unbalanced partitions. */
  sort(from: number, to: number, badPivots: number): void {
    let start = from;
    let end = to;
    let allowed = badPivots;
    let balanced = true;
    let partitioned = true;
    for (;;) {
      const length = end - start;
      if (length <= MAX_INSERTION_LENGTH) {
        this.#insertionSort(start, end);
        return;
      }
      if (allowed === 0) {
        this.#heapSort(start, end);
        return;
      }
      if (!balanced) {
        this.#breakPatterns(start, end);
        allowed--;
      }
      let pivot = this.#choosePivot(start, end);
      let rising = this.#pivotSwaps === 0;
      if (this.#pivotSwaps === MAX_PIVOT_SWAPS) {
        this.#reverse(start, end);
        pivot = end - 1 - (pivot - start);
        rising = true;
      }
      if (balanced && partitioned && rising && this.#almostSorted(start, end)) return;
      if (start > 0 && !this.#less(start - 1, pivot)) {
        start = this.#partitionEqual(start, end, pivot);
        continue;
      }
      const middle = this.#partition(start, end, pivot);
      partitioned = middle.already;
      const left = middle.pivot - start;
      const right = end - middle.pivot;
      balanced = Math.min(left, right) >= Math.floor(length / 8);
      if (left < right) {
        this.sort(start, middle.pivot, allowed);
        start = middle.pivot + 1;
      } else {
        this.sort(middle.pivot + 1, end, allowed);
        end = middle.pivot;
      }
    }
  }

  #swap(i: number, j: number): void {
    const order = this.#order;
    const held = order[i] as number;
    order[i] = order[j] as number;
    order[j] = held;
  }

  #insertionSort(start: number, end: number): void {
    for (let i = start + 1; i < end; i++) {
      for (let j = i; j > start && this.#less(j, j - 1); j--) this.#swap(j, j - 1);
    }
  }

  #heapSort(start: number, end: number): void {
    const length = end - start;
    for (let i = Math.floor((length - 1) / 2); i >= 0; i--) this.#siftDown(i, length, start);
    for (let i = length - 1; i >= 0; i--) {
      this.#swap(start, start + i);
      this.#siftDown(0, i, start);
    }
  }

  #siftDown(from: number, length: number, start: number): void {
    let root = from;
    for (;;) {
      let child = 2 * root + 1;
      if (child >= length) return;
      if (child + 1 < length && this.#less(start + child, start + child + 1)) child++;
      if (!this.#less(start + root, start + child)) return;
      this.#swap(start + root, start + child);
      root = child;
    }
  }

  /** Moves three elements near the middle to positions that depend only on the length. */
  #breakPatterns(start: number, end: number): void {
    const length = end - start;
    const mask = 2 ** bitLength(length) - 1;
    let random = BigInt(length);
    const middle = start + Math.floor(length / 4) * 2;
    for (let index = middle - 1; index <= middle + 1; index++) {
      random = nextRandom(random);
      let other = Number(random & BigInt(mask));
      if (other >= length) other -= length;
      this.#swap(index, start + other);
    }
  }

  #choosePivot(start: number, end: number): number {
    const length = end - start;
    const quarter = Math.floor(length / 4);
    let low = start + quarter;
    let middle = start + quarter * 2;
    let high = start + quarter * 3;
    this.#pivotSwaps = 0;
    if (length >= MIN_NINTHER_LENGTH) {
      low = this.#median(low - 1, low, low + 1);
      middle = this.#median(middle - 1, middle, middle + 1);
      high = this.#median(high - 1, high, high + 1);
    }
    return this.#median(low, middle, high);
  }

  #median(first: number, second: number, third: number): number {
    const [a, b] = this.#ordered(first, second);
    const [c] = this.#ordered(b, third);
    return this.#ordered(a, c)[1];
  }

  #ordered(i: number, j: number): readonly [number, number] {
    if (!this.#less(j, i)) return [i, j];
    this.#pivotSwaps++;
    return [j, i];
  }

  #reverse(start: number, end: number): void {
    for (let i = start, j = end - 1; i < j; i++, j--) this.#swap(i, j);
  }

  /** Fixes a few adjacent pairs; true if the range is then sorted. */
  #almostSorted(start: number, end: number): boolean {
    let i = start + 1;
    for (let shifts = 0; shifts < MAX_SHIFTS; shifts++) {
      while (i < end && !this.#less(i, i - 1)) i++;
      if (i === end) return true;
      if (end - start < MIN_SHIFT_LENGTH) return false;
      this.#swap(i, i - 1);
      if (i - start >= 2) {
        for (let j = i - 1; j >= 1 && this.#less(j, j - 1); j--) this.#swap(j, j - 1);
      }
      if (end - i >= 2) {
        for (let j = i + 1; j < end && this.#less(j, j - 1); j++) this.#swap(j, j - 1);
      }
    }
    return false;
  }

  /** Moves smaller elements to the left of the pivot and others to the right. */
  #partition(start: number, end: number, pivot: number): { pivot: number; already: boolean } {
    this.#swap(start, pivot);
    let i = start + 1;
    let j = end - 1;
    let already = true;
    for (;;) {
      while (i <= j && this.#less(i, start)) i++;
      while (i <= j && !this.#less(j, start)) j--;
      if (i > j) break;
      this.#swap(i, j);
      already = false;
      i++;
      j--;
    }
    this.#swap(j, start);
    return { pivot: j, already };
  }

  /** Moves elements equal to the pivot to the front; no element is smaller. Returns their end. */
  #partitionEqual(start: number, end: number, pivot: number): number {
    this.#swap(start, pivot);
    let i = start + 1;
    let j = end - 1;
    for (;;) {
      while (i <= j && !this.#less(start, i)) i++;
      while (i <= j && this.#less(start, j)) j--;
      if (i > j) return i;
      this.#swap(i, j);
      i++;
      j--;
    }
  }
}

function bitLength(value: number): number {
  return 32 - Math.clz32(value);
}

/** Marsaglia's 64-bit xorshift. */
function nextRandom(state: bigint): bigint {
  let next = state ^ BigInt.asUintN(64, state << 13n);
  next ^= next >> 7n;
  return next ^ BigInt.asUintN(64, next << 17n);
}
