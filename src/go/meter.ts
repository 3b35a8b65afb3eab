// Limits work that has no CEL cost: deep comparisons, list copies, steps of a regular expression matcher.

/** Charges steps; throws when the limit is exceeded. */
export interface Spending {
  spend(steps: number): void;
}

/** Thrown at the limit, and caught where the evaluation started. */
export class WorkExceeded {}

/** Units per compared and per copied element; copying also takes memory. */
export const COMPARED = 1;
export const COPIED = 10;

export class Meter {
  #remaining: number;
  readonly #run: Spending | undefined;

  /** `run`: another limit that is charged with the same units. */
  constructor(limit = 50_000_000, run?: Spending) {
    this.#remaining = limit;
    this.#run = run;
  }

  spend(units: number): void {
    this.#remaining -= units;
    if (this.#remaining < 0) throw new WorkExceeded();
    this.#run?.spend(units);
  }
}
