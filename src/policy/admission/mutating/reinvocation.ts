// Decides which policies run in the second pass (apiserver `mutating/reinvocationcontext.go`).

/** For one request. */
export class Reinvocation {
  readonly #invoked = new Set<string>();
  readonly #again = new Set<string>();

  /** Records that a policy, binding and param that allow reinvocation ran. */
  invoked(key: string): void {
    this.#invoked.add(key);
  }

  /** The object changed: everything recorded before must run again. */
  changed(): void {
    for (const key of this.#invoked) this.#again.add(key);
    this.#invoked.clear();
  }

  runsAgain(key: string): boolean {
    return this.#again.has(key);
  }
}
