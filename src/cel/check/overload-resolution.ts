// Which overloads of a function fit the types of its arguments, and what the call then gives (cel-go `resolveOverload`).
import type { DeclaredOverload } from './declarations.ts';
import { instantiate, isDyn, type Substitution } from './substitution.ts';
import { DYN, type Type } from './type.ts';

export interface Resolution {
  readonly overloadIds: readonly string[];
  readonly type: Type;
}

/**
 * Every overload that fits is kept: with `dyn` arguments the choice falls at run time. Trying them in order of declaration
 * matters, for the first that fits may bind type parameters that the others then have to live with.
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
      // The parameters it would have been given are used up all the same: messages show their numbers.
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

/** The overload with fresh parameters in place of its own. */
function instantiateOverload(
  overload: DeclaredOverload,
  substitution: Substitution,
): { readonly args: readonly Type[]; readonly result: Type } {
  if (overload.typeParameters.length === 0) return overload;
  const fresh = new Map<string, Type>();
  for (const name of overload.typeParameters) fresh.set(name, substitution.freshParameter());
  return { args: overload.args.map((arg) => instantiate(arg, fresh)), result: instantiate(overload.result, fresh) };
}

/** False if the kinds of types alone rule a call out: saves trying. */
function couldFit(argTypes: readonly Type[], parameters: readonly Type[]): boolean {
  if (argTypes.length !== parameters.length) return false;
  return argTypes.every((argType, index) => {
    const { kind } = parameters[index] as Type;
    return argType.kind === kind || FLEXIBLE_KINDS.has(argType.kind) || FLEXIBLE_KINDS.has(kind);
  });
}

const FLEXIBLE_KINDS: ReadonlySet<Type['kind']> = new Set(['dyn', 'any', 'error', 'param', 'null']);
