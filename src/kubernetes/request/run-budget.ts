// The work that one run may take, in steps: the same input comes to the same end on every machine.
import type { SourceFile } from '../../source/text/source-file.ts';
import type { Resource } from '../api/resource.ts';

/** What a run may take where nobody says otherwise, whatever it reads; docs/limits.md says what real repositories take. */
const DEFAULT_WORK = 400_000_000;
/** And for each character it reads: who has much to check may take longer, and who wrote little may not. */
const WORK_PER_CHARACTER = 50;

/** Thrown by whoever wants to spend more than there is; what was being judged is undecided. */
export class BudgetSpent {}

/** What a person would look for who wants to spend less, such as the kind and name of a policy. */
export class Spender {
  readonly name: string;
  /** What it is about; undefined for what no file defines. */
  readonly resource: Resource | undefined;
  spent = 0;

  constructor(name: string, resource: Resource | undefined) {
    this.name = name;
    this.resource = resource;
  }
}

/** A step is a unit of an expression's cost, about 20 ns; what has no cost of its own counts as what takes about as long. */
export class RunBudget {
  readonly limit: number;
  readonly #spenders = new Map<string, Spender>();
  #spender: Spender;
  #remaining: number;

  /** `limit`: what somebody says that the run may take; undefined for what goes with the length of the files. */
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

  /** The same for the same name. */
  spender(name: string, resource?: Resource): Spender {
    let spender = this.#spenders.get(name);
    if (spender === undefined) {
      spender = new Spender(name, resource);
      this.#spenders.set(name, spender);
    }
    return spender;
  }

  /** What is spent from now on is spent by this one. */
  begin(spender: Spender): void {
    this.#spender = spender;
  }

  /** Throws `BudgetSpent` if there is not so much left, now and from then on. */
  spend(steps: number): void {
    this.#spender.spent += steps;
    this.#remaining -= steps;
    if (this.#remaining < 0) throw new BudgetSpent();
  }

  /** As if nothing had been spent. */
  renew(): void {
    this.#remaining = this.limit;
    for (const spender of this.#spenders.values()) spender.spent = 0;
  }

  /** Who spent most, that one first. */
  largest(count: number): readonly Spender[] {
    const spenders = [...this.#spenders.values()].filter(({ spent }) => spent > 0);
    return spenders.sort((one, other) => other.spent - one.spent).slice(0, count);
  }
}
