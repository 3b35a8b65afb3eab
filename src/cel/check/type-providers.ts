// Several type providers asked as one.
import { StructValue } from '../value/value.ts';
import type { Type } from './type.ts';
import type { TypeProvider } from './type-provider.ts';

/** In order; the first that knows a name answers for it. */
export function combineProviders(providers: readonly TypeProvider[]): TypeProvider {
  const identifying = providers.filter((provider) => provider.findIdentifier !== undefined);
  const ownerOf = (struct: Type): TypeProvider | undefined =>
    providers.find((provider) => provider.findStruct(struct.name) !== undefined);
  return {
    findStruct: (name) => firstKnown(providers, (provider) => provider.findStruct(name)),
    findField: (struct, field) => ownerOf(struct)?.findField(struct, field),
    fieldNames: (struct) => ownerOf(struct)?.fieldNames(struct),
    newStruct: (struct, fields) => ownerOf(struct)?.newStruct?.(struct, fields) ?? new StructValue(struct, fields),
    findIdentifier: (name) => firstKnown(identifying, (provider) => provider.findIdentifier?.(name)),
  };
}

function firstKnown<T>(
  providers: readonly TypeProvider[],
  ask: (provider: TypeProvider) => T | undefined,
): T | undefined {
  for (const provider of providers) {
    const answer = ask(provider);
    if (answer !== undefined) return answer;
  }
  return undefined;
}
