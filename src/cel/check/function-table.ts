// The functions of an environment by name. Their signatures are parsed on first use.
import type { FunctionDeclaration, Library, Overload } from '../declaration/library.ts';
import { TypeValue } from '../value/value.ts';
import type { DeclaredFunction } from './declarations.ts';
import { parseSignature, type ResolveTypeName } from './signature.ts';
import type { TypeProvider } from './type-provider.ts';

export class FunctionTable {
  readonly #overloads = new Map<string, Overload[]>();
  readonly #read = new Map<string, DeclaredFunction>();
  readonly #resolve: ResolveTypeName;

  /** An overload that is declared again keeps its position but gets the later implementation. */
  constructor(libraries: readonly Library[], types: TypeProvider) {
    this.#resolve = (name) => {
      const value = types.findIdentifier?.(name)?.value;
      return value instanceof TypeValue ? value.type : undefined;
    };
    for (const library of libraries) {
      for (const { name, overloads } of library.functions) this.#add(name, overloads);
    }
  }

  names(): Iterable<string> {
    return this.#overloads.keys();
  }

  declaration(name: string): FunctionDeclaration | undefined {
    const overloads = this.#overloads.get(name);
    return overloads && { name, overloads };
  }

  find(name: string): DeclaredFunction | undefined {
    const known = this.#read.get(name);
    if (known !== undefined) return known;
    const overloads = this.#overloads.get(name);
    if (overloads === undefined) return undefined;
    const declared = {
      name,
      overloads: overloads.map(({ id, signature }) => ({ id, ...parseSignature(name, signature, this.#resolve) })),
    };
    this.#read.set(name, declared);
    return declared;
  }

  #add(name: string, overloads: readonly Overload[]): void {
    const known = this.#overloads.get(name) ?? [];
    for (const overload of overloads) {
      const index = known.findIndex(({ id }) => id === overload.id);
      if (index < 0) known.push(overload);
      else known[index] = overload;
    }
    this.#overloads.set(name, known);
  }
}
