// A bound on work that no cost counts: deep comparisons, copies of lists, steps of a matcher.

/** Says stop by throwing `WorkExceeded`, which is caught where evaluation began. */
export class WorkExceeded {}

/** Units for one element compared, and for one copied (which also takes memory). */
export const COMPARED = 1;
export const COPIED = 10;

export class Meter {
  #remaining: number;

  constructor(limit = 50_000_000) {
    this.#remaining = limit;
  }

  spend(units: number): void {
    this.#remaining -= units;
    if (this.#remaining < 0) throw new WorkExceeded();
  }
}
