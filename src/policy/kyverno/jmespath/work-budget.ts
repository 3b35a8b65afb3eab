// Limits the work of one search.
import type { RunBudget } from '../../../kubernetes/request/run-budget.ts';
import { SearchError } from './search-error.ts';
import type { SearchValue } from './search-value.ts';

/** About one second. Real policies need some hundred steps. */
const MAX_STEPS = 5_000_000;

/** Cost of one step in the run's budget. */
const STEPS_OF_RUN = 10;

export class WorkBudget {
  #left = MAX_STEPS;
  readonly #run: RunBudget | undefined;

  /** Also charges `run`. */
  constructor(run?: RunBudget) {
    this.#run = run;
  }

  /** Throws a `SearchError` when the budget is spent. A step is a node, an element or 16 characters. */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new SearchError('limit', 'a query that exceeds the work limit');
    this.#run?.spend(Math.ceil(STEPS_OF_RUN * steps));
  }

  text(text: string): string {
    this.spend(1 + text.length / 16);
    return text;
  }

  /** Charges for a complete traversal. A query can place one value many times, so a value can be far larger than its memory. */
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
