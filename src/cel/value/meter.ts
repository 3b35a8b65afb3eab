// A bound on work that cel-go's cost does not see: deep comparisons and copies of lists.

/** Thrown to leave an evaluation at once; caught where evaluation began. */
export class WorkExceeded {}

export class Meter {
  #remaining: number;

  constructor(limit: number) {
    this.#remaining = limit;
  }

  /** One unit is about one element looked at or copied. */
  spend(units: number): void {
    this.#remaining -= units;
    if (this.#remaining < 0) throw new WorkExceeded();
  }
}
