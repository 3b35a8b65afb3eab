// Bounds the work of one search, so that no query takes longer than a person waits.
import type { RunBudget } from '../../../kubernetes/request/run-budget.ts';
import { SearchError } from './search-error.ts';
import type { SearchValue } from './search-value.ts';

/** About a second of work; queries of real policies take some hundred steps. */
const MAX_STEPS = 5_000_000;

/** What one of these steps is in those of a run. */
const STEPS_OF_RUN = 10;

export class WorkBudget {
  #left = MAX_STEPS;
  readonly #run: RunBudget | undefined;

  /** `run` pays, too. */
  constructor(run?: RunBudget) {
    this.#run = run;
  }

  /** Throws a `SearchError` once too much is spent. One step is a node, an element or 16 characters. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new SearchError('limit', 'the query takes more work than can be spent on one');
    this.#run?.spend(Math.ceil(STEPS_OF_RUN * steps));
  }

  /** For a text that was made. */
  text(text: string): string {
    this.spend(1 + text.length / 16);
    return text;
  }

  /**
   * For a value that is to be walked through. A query can put one value into many places, so a value can be far larger than the
   * memory it takes.
   */
  measure(value: SearchValue): void {
    this.spend(1);
    if (typeof value === 'string') this.spend(value.length / 16);
    else if (Array.isArray(value)) for (const item of value as readonly SearchValue[]) this.measure(item);
    else if (value instanceof Map) {
      for (const [key, member] of value as ReadonlyMap<string, SearchValue>) {
        this.spend(key.length / 16);
        this.measure(member);
      }
    }
  }
}
