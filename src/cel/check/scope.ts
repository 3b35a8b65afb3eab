// Variables of comprehensions, innermost first (cel-go `checker.Scopes`).
import type { Type } from './type.ts';

export class Scope {
  readonly #parent: Scope | undefined;
  readonly #variables: readonly (readonly [name: string, type: Type])[];

  constructor(parent: Scope | undefined, variables: readonly (readonly [name: string, type: Type])[]) {
    this.#parent = parent;
    this.#variables = variables;
  }

  find(name: string): Type | undefined {
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.#parent) {
      for (const variable of scope.#variables) if (variable[0] === name) return variable[1];
    }
    return undefined;
  }
}
