// Combines several type providers.
import { StructValue, type Value } from '../value/value.ts';
import type { Type } from './type.ts';
import type { TypeProvider } from './type-provider.ts';

/** Queries providers in order; the first one that knows the name wins. */
export class TypeProviders implements TypeProvider {
  readonly #providers: readonly TypeProvider[];
  readonly #identifying: readonly TypeProvider[];

  constructor(providers: readonly TypeProvider[]) {
    this.#providers = providers;
    this.#identifying = providers.filter((provider) => provider.findIdentifier !== undefined);
  }

  findStruct(name: string): Type | undefined {
    for (const provider of this.#providers) {
      const struct = provider.findStruct(name);
      if (struct !== undefined) return struct;
    }
    return undefined;
  }

  findField(struct: Type, field: string): Type | undefined {
    return this.#ownerOf(struct)?.findField(struct, field);
  }

  fieldNames(struct: Type): readonly string[] | undefined {
    return this.#ownerOf(struct)?.fieldNames(struct);
  }

  newStruct(struct: Type, fields: ReadonlyMap<string, Value>): Value {
    return this.#ownerOf(struct)?.newStruct?.(struct, fields) ?? new StructValue(struct, fields);
  }

  findIdentifier(name: string): { readonly type: Type; readonly value: Value } | undefined {
    for (const provider of this.#identifying) {
      const identifier = provider.findIdentifier?.(name);
      if (identifier !== undefined) return identifier;
    }
    return undefined;
  }

  #ownerOf(struct: Type): TypeProvider | undefined {
    return this.#providers.find((provider) => provider.findStruct(struct.name) !== undefined);
  }
}
