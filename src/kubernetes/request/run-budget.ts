// Limits the work of a run in steps, not seconds, so that the result is the same on every machine.
import type { SourceFile } from '../../source/text/source-file.ts';
import type { Resource } from '../api/resource.ts';

/** Default limit of a run. docs/limits.md lists what real repositories use. */
const DEFAULT_WORK = 400_000_000;
/** Added to the limit for each character of the input, so that large repositories get more steps. */
const WORK_PER_CHARACTER = 50;

/** Thrown when the budget is exhausted; the current evaluation is then undecided. */
export class BudgetSpent {}

/** A source of work that the user can reduce, named in messages: the kind and name of a policy, for example. */
export class Spender {
  readonly name: string;
  /** Undefined if no file defines it. */
  readonly resource: Resource | undefined;
  spent = 0;

  constructor(name: string, resource: Resource | undefined) {
    this.name = name;
    this.resource = resource;
  }
}

/** A step is one unit of CEL cost, about 20 ns. Other work costs as many steps as CEL work of similar duration. */
export class RunBudget {
  readonly limit: number;
  readonly #spenders = new Map<string, Spender>();
  #spender: Spender;
  #remaining: number;

  /** `limit`: the configured limit; undefined: a limit that depends on the length of the files. */
  static of(limit: number | undefined, files: readonly { readonly file: SourceFile }[]): RunBudget {
    const characters = files.reduce((sum, { file }) => sum + file.length, 0);
    return new RunBudget(limit ?? DEFAULT_WORK + WORK_PER_CHARACTER * characters);
  }

  constructor(limit = DEFAULT_WORK) {
    this.limit = limit;
    this.#remaining = limit;
    this.#spender = this.spender('the policies themselves');
  }

  get spent(): number {
    return this.limit - this.#remaining;
  }

  get isSpent(): boolean {
    return this.#remaining < 0;
  }

  /** Returns the same spender for the same name. */
  spender(name: string, resource?: Resource): Spender {
    let spender = this.#spenders.get(name);
    if (spender === undefined) {
      spender = new Spender(name, resource);
      this.#spenders.set(name, spender);
    }
    return spender;
  }

  /** Charges the work from now on to this spender. */
  begin(spender: Spender): void {
    this.#spender = spender;
  }

  /** Throws `BudgetSpent` once the budget is exceeded, on this call and every later one. */
  spend(steps: number): void {
    this.#spender.spent += steps;
    this.#remaining -= steps;
    if (this.#remaining < 0) throw new BudgetSpent();
  }

  /** Resets all counters. */
  renew(): void {
    this.#remaining = this.limit;
    for (const spender of this.#spenders.values()) spender.spent = 0;
  }

  /** The largest spenders, in descending order. */
  largest(count: number): readonly Spender[] {
    const spenders = [...this.#spenders.values()].filter(({ spent }) => spent > 0);
    return spenders.sort((one, other) => other.spent - one.spent).slice(0, count);
  }
}
