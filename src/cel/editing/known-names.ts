// The names that can be written at a location of an expression, with types and signatures.
import type { DeclaredOverload } from '../check/declarations.ts';
import { formatArguments, formatType } from '../check/format-type.ts';
import type { Type } from '../check/type.ts';
import type { Environment } from '../environment.ts';

export interface KnownName {
  readonly name: string;
  readonly kind: 'variable' | 'field' | 'function' | 'method' | 'macro' | 'keyword';
  /** Type of a variable or field, signatures of a function. */
  readonly detail: string;
}

/** Names that may follow a dot after a value of the type. */
export function memberNames(type: Type, environment: Environment): readonly KnownName[] {
  const names: KnownName[] = [];
  const object = valueType(type);
  if (object.kind === 'struct') {
    for (const name of environment.types.fieldNames(object) ?? []) {
      const field = environment.types.findField(object, name);
      if (field !== undefined) names.push({ name, kind: 'field', detail: formatType(field) });
    }
  }
  for (const name of environment.callNames()) {
    if (name.includes('.')) continue;
    const declared = environment.declaredFunction(name);
    const fitting = declared?.overloads.filter((overload) => isMethodOf(overload, type)) ?? [];
    if (fitting.length > 0) names.push({ name, kind: 'method', detail: signaturesOf(name, fitting) });
    else if (declared === undefined && isElementMacro(name) && (type.kind === 'list' || type.kind === 'map')) {
      names.push({ name, kind: 'macro', detail: MACRO_SHAPES.get(name) ?? `${name}(x, …)` });
    }
  }
  return names;
}

/** Names that may be written without a dot before them. */
export function globalNames(environment: Environment): readonly KnownName[] {
  const variables = environment.variableNames().filter((name) => !name.includes('.'));
  const names: KnownName[] = variables.map((name) => ({
    name,
    kind: 'variable',
    detail: formatType(environment.findVariable(name) as Type),
  }));
  for (const name of environment.callNames()) {
    const declared = environment.declaredFunction(name);
    const global = declared?.overloads.filter(({ receiverStyle }) => !receiverStyle) ?? [];
    if (global.length > 0) names.push({ name, kind: 'function', detail: signaturesOf(name, global) });
    else if (name === 'has') names.push({ name, kind: 'macro', detail: 'has(object.field) -> bool' });
  }
  for (const name of ['true', 'false', 'null']) names.push({ name, kind: 'keyword', detail: '' });
  return names;
}

/** The signatures of a function, one per line, or the shape of a macro. */
export function signatureLines(name: string, environment: Environment, receiver: Type | undefined): readonly string[] {
  const declared = environment.declaredFunction(name);
  const macro = MACRO_SHAPES.get(name);
  if (declared === undefined) return macro === undefined || !environment.callNames().includes(name) ? [] : [macro];
  const fitting = declared.overloads.filter((overload) =>
    receiver === undefined ? !overload.receiverStyle : isMethodOf(overload, receiver),
  );
  const shown = fitting.length > 0 ? fitting : declared.overloads;
  return shown.map((overload) => signature(name, overload));
}

function signaturesOf(name: string, overloads: readonly DeclaredOverload[]): string {
  const [first] = overloads;
  if (first === undefined) return '';
  const more = overloads.length - 1;
  return `${signature(name, first)}${more === 0 ? '' : ` (+${more})`}`;
}

function signature(name: string, { args, receiverStyle, result }: DeclaredOverload): string {
  const written = receiverStyle
    ? `${formatType(args[0] as Type)}.${name}${formatArguments(args.slice(1), false)}`
    : `${name}${formatArguments(args, false)}`;
  return `${written} -> ${formatType(result)}`;
}

function isMethodOf({ receiverStyle, args }: DeclaredOverload, type: Type): boolean {
  const [receiver] = args;
  if (!receiverStyle || receiver === undefined) return false;
  if (receiver.kind === 'param' || receiver.kind === 'dyn') return true;
  return receiver.kind === type.kind && receiver.name === type.name;
}

/** Selecting from an optional selects from its value. */
function valueType(type: Type): Type {
  const [held] = type.parameters;
  return type.name === 'optional_type' && held !== undefined ? held : type;
}

function isElementMacro(name: string): boolean {
  return name !== 'has' && MACRO_SHAPES.has(name);
}

const MACRO_SHAPES: ReadonlyMap<string, string> = new Map([
  ['has', 'has(object.field) -> bool'],
  ['all', 'list.all(x, condition) -> bool'],
  ['exists', 'list.exists(x, condition) -> bool'],
  ['exists_one', 'list.exists_one(x, condition) -> bool'],
  ['existsOne', 'list.existsOne(i, x, condition) -> bool'],
  ['map', 'list.map(x, value) -> list'],
  ['filter', 'list.filter(x, condition) -> list'],
  ['sortBy', 'list.sortBy(x, key) -> list'],
  ['transformList', 'list.transformList(i, x, value) -> list'],
  ['transformMap', 'map.transformMap(k, v, value) -> map'],
  ['transformMapEntry', 'map.transformMapEntry(k, v, entry) -> map'],
]);
