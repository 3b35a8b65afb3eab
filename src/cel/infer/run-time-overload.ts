// Finds the overloads that accept values of certain types at run time, and their results.
import type { DeclaredOverload } from '../check/declarations.ts';
import { DYN, mapOf, STRING, Type } from '../check/type.ts';
import { join, NOTHING_TYPE } from './known.ts';

/** True for a struct type whose values are maps at run time. */
export type IsObject = (type: Type) => boolean;

/** The result type; undefined if no overload accepts the arguments. Element types of containers are ignored. */
export function resultAtRunTime(
  overloads: readonly DeclaredOverload[],
  args: readonly Type[],
  isObject: IsObject,
): Type | undefined {
  const seen = args.map((arg) => (arg.kind === 'struct' && isObject(arg) ? OBJECT : arg));
  let result: Type | undefined;
  for (const overload of overloads) {
    if (overload.args.length !== seen.length) continue;
    if (!seen.every((arg, index) => couldBe(arg, overload.args[index] as Type))) continue;
    const type = resultOf(overload, args, seen);
    result = result === undefined ? type : join(result, type);
  }
  return result;
}

const OBJECT: Type = mapOf(STRING, DYN);

function couldBe(arg: Type, parameter: Type): boolean {
  if (isOpen(arg) || isOpen(parameter)) return true;
  return arg.kind === parameter.kind && arg.name === parameter.name;
}

function isOpen({ kind }: Type): boolean {
  return kind === 'dyn' || kind === 'any' || kind === 'param' || kind === 'error';
}

/** Type parameters are bound to the object types themselves, but the values in an object's map have no common type. */
function resultOf({ args: parameters, result }: DeclaredOverload, args: readonly Type[], seen: readonly Type[]): Type {
  const bindings = new Map<string, Type>();
  for (const [index, parameter] of parameters.entries()) {
    bind(parameter, (parameter.kind === 'param' ? args[index] : seen[index]) as Type, bindings);
  }
  return instantiated(result, bindings);
}

function bind(parameter: Type, arg: Type, bindings: Map<string, Type>): void {
  if (parameter.kind === 'param') {
    bindings.set(parameter.name, join(bindings.get(parameter.name) ?? NOTHING_TYPE, arg));
    return;
  }
  for (const [index, inner] of parameter.parameters.entries()) {
    bind(inner, arg.kind === parameter.kind ? (arg.parameters[index] ?? DYN) : DYN, bindings);
  }
}

function instantiated(type: Type, bindings: ReadonlyMap<string, Type>): Type {
  if (type.kind === 'param') return bindings.get(type.name) ?? NOTHING_TYPE;
  if (type.parameters.length === 0) return type;
  return new Type(
    type.kind,
    type.name,
    type.parameters.map((parameter) => instantiated(parameter, bindings)),
  );
}
