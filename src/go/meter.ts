// A bound on work that no cost counts: deep comparisons, copies of lists, steps of a matcher.

/** Pays for steps; throws where there is nothing left to pay with. */
export interface Spending {
  spend(steps: number): void;
}

/** Says stop by throwing `WorkExceeded`, which is caught where evaluation began. */
export class WorkExceeded {}

/** Units for one element compared, and for one copied (which also takes memory). */
export const COMPARED = 1;
export const COPIED = 10;

export class Meter {
  #remaining: number;
  readonly #run: Spending | undefined;

  /** `run`: every unit is a step of it, too. */
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
