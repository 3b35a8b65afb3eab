// Finds the overloads of a function that fit the argument types, and the result type (cel-go `resolveOverload`).
import type { DeclaredOverload } from './declarations.ts';
import { instantiate, isDyn, type Substitution } from './substitution.ts';
import { DYN, type Type } from './type.ts';

export interface Resolution {
  readonly overloadIds: readonly string[];
  readonly type: Type;
}

/**
 * Keeps every overload that fits: with `dyn` arguments, the choice happens at run time. Declaration order matters,
 * because the first fit may bind type parameters for all later ones.
 */
export function resolveOverloads(
  overloads: readonly DeclaredOverload[],
  argTypes: readonly Type[],
  substitution: Substitution,
): Resolution | undefined {
  const overloadIds: string[] = [];
  let type: Type | undefined;
  for (const overload of overloads) {
    if (!couldFit(argTypes, overload.args)) {
      // Skip the type parameters that cel-go would create here, because their numbers appear in messages.
      substitution.skipParameters(overload.typeParameters.length);
      continue;
    }
    const { args, result } = instantiateOverload(overload, substitution);
    if (!substitution.assignAll(argTypes, args)) continue;
    overloadIds.push(overload.id);
    const resultType = substitution.apply(result, false);
    if (type === undefined) type = resultType;
    else if (!isDyn(type) && !resultType.equals(type)) type = DYN;
  }
  return type && { overloadIds, type };
}

/** Replaces the overload's type parameters by fresh ones. */
function instantiateOverload(
  overload: DeclaredOverload,
  substitution: Substitution,
): { readonly args: readonly Type[]; readonly result: Type } {
  if (overload.typeParameters.length === 0) return overload;
  const fresh = new Map<string, Type>();
  for (const name of overload.typeParameters) fresh.set(name, substitution.freshParameter());
  return { args: overload.args.map((arg) => instantiate(arg, fresh)), result: instantiate(overload.result, fresh) };
}

/** Fast path: false if the kinds of types alone exclude the call. */
function couldFit(argTypes: readonly Type[], parameters: readonly Type[]): boolean {
  if (argTypes.length !== parameters.length) return false;
  return argTypes.every((argType, index) => {
    const { kind } = parameters[index] as Type;
    return argType.kind === kind || FLEXIBLE_KINDS.has(argType.kind) || FLEXIBLE_KINDS.has(kind);
  });
}

const FLEXIBLE_KINDS: ReadonlySet<Type['kind']> = new Set(['dyn', 'any', 'error', 'param', 'null']);
