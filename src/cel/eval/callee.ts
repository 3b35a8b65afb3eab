// Selects the implementation of a call: by the checker's overload, or by run-time types (cel-go `common/decls`, `planner.go`).
import type { DeclaredOverload } from '../check/declarations.ts';
import type { Type } from '../check/type.ts';
import type { FunctionDeclaration, LiteralPattern, Overload } from '../declaration/library.ts';
import type { Price } from '../declaration/price.ts';
import { noMatchingOverload, noSuchCall } from '../library/no-such-overload.ts';
import { isMap } from '../value/equality.ts';
import { typeOf } from '../value/type-of.ts';
import type { ListValue, MapValue, Value } from '../value/value.ts';

export interface Callee {
  readonly name: string;
  /** Empty if the checker left several overloads. */
  readonly overloadId: string;
  /** Receiver first. Arguments are never errors unless `nonStrict`. */
  readonly evaluate: (...args: Value[]) => Value;
  readonly nonStrict: boolean;
  /** Arguments after the first error are not evaluated, and such a call is free. */
  readonly variadic: boolean;
  readonly textWork: number;
  /** Undefined if the checker left several overloads. */
  readonly price: Price | undefined;
  readonly literalPattern: LiteralPattern | undefined;
}

/** `signatures` belong to the overloads of the declaration. */
export function resolveCallee(
  { name, overloads }: FunctionDeclaration,
  signatures: readonly DeclaredOverload[],
  overloadIds: readonly string[],
  argCount: number,
): Callee {
  const guardsOf = ({ id }: Overload): Guard[] => signatures.find((row) => row.id === id)?.args.map(guardOf) ?? [];
  const overloadId = overloadIds.length === 1 ? (overloadIds[0] as string) : '';
  const literalPattern = overloads.find((overload) => overload.literalPattern !== undefined)?.literalPattern;
  const singleton = overloads.find((overload) => overload.dispatch === 'singleton');
  const textWork = overloads[0]?.textWork ?? 0;
  const price = overloads.find(({ id }) => id === overloadId)?.price;
  const chosen = singleton ?? overloads.find(({ id }) => id === overloadId) ?? onlyOne(overloads);
  if (chosen !== undefined) {
    const variadic = argCount > 2 || chosen.variadic === true;
    const nonStrict = chosen.nonStrict === true;
    return {
      name,
      overloadId,
      evaluate: guard(name, chosen, guardsOf),
      nonStrict,
      variadic,
      textWork,
      price,
      literalPattern,
    };
  }
  return {
    name,
    overloadId,
    evaluate: dispatch(name, overloads, guardsOf),
    nonStrict: false,
    variadic: true,
    textWork,
    price,
    literalPattern,
  };
}

/** A function without declaration; only an unchecked expression can call one. */
export function unknownCallee(name: string): Callee {
  const evaluate = (): Value => noSuchCall(name);
  return {
    name,
    overloadId: '',
    evaluate,
    nonStrict: false,
    variadic: false,
    textWork: 0,
    price: undefined,
    literalPattern: undefined,
  };
}

function onlyOne(overloads: readonly Overload[]): Overload | undefined {
  return overloads.length === 1 ? overloads[0] : undefined;
}

/** Adds the type guards of the signature to the implementation. */
function guard(name: string, overload: Overload, guardsOf: GuardsOf): Overload['evaluate'] {
  const evaluate = overload.evaluate.bind(overload);
  const guards = (overload.dispatch ?? 'guarded') === 'guarded' && !overload.nonStrict ? guardsOf(overload) : [];
  if (guards.every((accepts) => accepts === undefined)) return evaluate;
  const [first = ANYTHING, second = ANYTHING] = guards;
  if (guards.length === 1)
    return (value: Value) => (first(value) ? evaluate(value) : noMatchingOverload(name, [value]));
  if (guards.length === 2) {
    return (left: Value, right: Value) =>
      first(left) && second(right) ? evaluate(left, right) : noMatchingOverload(name, [left, right]);
  }
  return (...args) => (fits(guards, args) ? evaluate(...args) : noMatchingOverload(name, args));
}

/** Calls the first overload in declaration order that accepts the values. */
function dispatch(name: string, overloads: readonly Overload[], guardsOf: GuardsOf): Overload['evaluate'] {
  const candidates = overloads.map((overload) => {
    const guards = guardsOf(overload);
    return { overload, guards: overload.dispatch === 'unguarded' ? guards.map(() => undefined) : guards };
  });
  return (...args) => {
    const found = candidates.find(({ guards }) => guards.length === args.length && fits(guards, args));
    return found === undefined ? noMatchingOverload(name, args) : found.overload.evaluate(...args);
  };
}

/** Undefined accepts everything. */
type Guard = ((value: Value) => boolean) | undefined;

const ANYTHING = (): boolean => true;

type GuardsOf = (overload: Overload) => Guard[];

function fits(guards: readonly Guard[], args: readonly Value[]): boolean {
  return guards.every((accepts, index) => accepts === undefined || accepts(args[index] as Value));
}

/** cel-go `IsAssignableRuntimeType`: for lists and maps, only the first element is checked. */
function guardOf(type: Type): Guard {
  switch (type.kind) {
    case 'dyn':
    case 'any':
    case 'param':
      return undefined;
    case 'string':
      return (value) => typeof value === 'string';
    case 'int':
      return (value) => typeof value === 'bigint';
    case 'bool':
      return (value) => typeof value === 'boolean';
    case 'list':
      return guardList(type);
    case 'map':
      return guardMap(type);
    default:
      return (value) => typeOf(value).name === type.name;
  }
}

function guardList(type: Type): Guard {
  const element = guardOf(type.parameters[0] as Type);
  return (value) => Array.isArray(value) && firstElementFits(value, element);
}

function firstElementFits(list: ListValue, accepts: Guard): boolean {
  return list.length === 0 || accepts === undefined || accepts(list[0] as Value);
}

function guardMap(type: Type): Guard {
  const [key, value] = type.parameters.map(guardOf);
  return (map) => isMap(map) && firstEntryFits(map, key, value);
}

function firstEntryFits(map: MapValue, key: Guard, value: Guard): boolean {
  for (const entry of map.entries()) {
    return (key === undefined || key(entry[0])) && (value === undefined || value(entry[1]));
  }
  return true;
}
