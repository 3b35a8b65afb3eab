// Which policies run in the second pass (apiserver `mutating/reinvocationcontext.go`).

/** Of one request. */
export class Reinvocation {
  readonly #invoked = new Set<string>();
  readonly #again = new Set<string>();

  /** A policy, binding and param that may run again did run. */
  invoked(key: string): void {
    this.#invoked.add(key);
  }

  /** The object was changed: whoever ran before has to look again. */
  changed(): void {
    for (const key of this.#invoked) this.#again.add(key);
    this.#invoked.clear();
  }

  runsAgain(key: string): boolean {
    return this.#again.has(key);
  }
}
