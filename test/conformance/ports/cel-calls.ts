// Writes CEL expressions that call one function, with arguments of the declared types. `object` is a list of texts.
import type { DeclaredOverload } from '../../../src/cel/check/declarations.ts';
import {
  BOOL,
  BYTES as BYTES_TYPE,
  DOUBLE,
  DURATION,
  INT,
  listOf,
  mapOf,
  NULL,
  STRING,
  TIMESTAMP,
  Type,
  UINT,
} from '../../../src/cel/check/type.ts';
import type { Environment } from '../../../src/cel/environment.ts';
import type { Chance } from './chance.ts';
import type { Arguments, PortFunction } from './port.ts';
import * as texts from './texts.ts';

/** Texts for the arguments of a function, by the first matching name; `at` counts the receiver. */
type TextPools = readonly (readonly [name: RegExp, ...at: (readonly string[] | undefined)[]])[];

export interface CelCalls {
  readonly environment: Environment;
  readonly textPools: TextPools;
  /** Expressions for values of types without literals. */
  readonly values: Readonly<Record<string, (calls: Expressions) => string>>;
  /** Whole expressions for macros, with `$s`, `$i`, `$l` and `$t` for a text, an integer, a list and a condition on `x`. */
  readonly macros: Readonly<Record<string, readonly string[]>>;
  /** Functions that no call can compare. */
  readonly skipped: readonly string[];
}

const INTEGERS = [
  '0',
  '1',
  '-1',
  '2',
  '3',
  '5',
  '7',
  '10',
  '100',
  '-2',
  '-5',
  '60',
  '3600',
  '1000000000',
  '-1000000000',
  '2147483647',
  '2147483648',
  '9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
  '9223372036',
  '-62135596800',
  '253402300799',
  '253402300800',
  '63',
  '64',
  '65',
  '20',
  '400',
];
const LENGTHS = ['0', '1', '-1', '3', '10', '1000', '-9223372036854775808'];
const UNSIGNED = [
  '0u',
  '1u',
  '2u',
  '3u',
  '10u',
  '9223372036854775807u',
  '9223372036854775808u',
  '18446744073709551615u',
  '63u',
  '64u',
];
const DOUBLES = [
  '0.0',
  '-0.0',
  '1.0',
  '1.5',
  '-1.5',
  '2.5',
  '-2.5',
  '0.5',
  '-0.5',
  '3.7',
  '0.1',
  '0.2',
  '1e20',
  '-1e20',
  '1e308',
  '-1e308',
  '5e-324',
  '9007199254740993.0',
  '9223372036854775807.0',
  '-9223372036854775808.0',
  '18446744073709551615.0',
  '1e15',
  '1e21',
  '1e-7',
  '123456.789',
  '0.000001',
  '100.0',
  'double("NaN")',
  'double("Infinity")',
  'double("-Infinity")',
  '4.35',
  '2.675',
  '0.49999999999999994',
];
const BYTES = [
  'b""',
  'b"a"',
  'b"abc"',
  'b"\\xff"',
  'b"\\xff\\xfe\\x00"',
  'b"\\xc3\\xa9"',
  'b"\\xed\\xa0\\x80"',
  'b"\\x00"',
  'b"é"',
  'b"😀"',
  'b"\\xf0\\x9f\\x98"',
  'b"123"',
];
const SIMPLE = new Map(
  [INT, UINT, DOUBLE, BOOL, STRING, BYTES_TYPE, TIMESTAMP, DURATION, NULL].map((type) => [type.name, type]),
);
const SCALARS = [...SIMPLE.keys()];
const ELEMENTS = ['int', 'string', 'double', 'uint', 'bool'];

/** Operators by cel-go's names: their operands' places in the text. */
const OPERATORS: Readonly<Record<string, string>> = {
  '_+_': '($0 + $1)',
  '_-_': '($0 - $1)',
  '_*_': '($0 * $1)',
  '_/_': '($0 / $1)',
  '_%_': '($0 % $1)',
  '_==_': '($0 == $1)',
  '_!=_': '($0 != $1)',
  '_<_': '($0 < $1)',
  '_<=_': '($0 <= $1)',
  '_>_': '($0 > $1)',
  '_>=_': '($0 >= $1)',
  '_&&_': '($0 && $1)',
  '_||_': '($0 || $1)',
  '_?_:_': '($0 ? $1 : $2)',
  '_[_]': '$0[$1]',
  '_[?_]': '$0[?$1]',
  '_?._': '$0.?a',
  '!_': '(!$0)',
  '-_': '(-$0)',
  '@in': '($0 in $1)',
  in: '($0 in $1)',
};

export function celFunctions(calls: CelCalls): readonly PortFunction[] {
  const { environment, skipped } = calls;
  const names = [...new Set([...environment.callNames(), ...Object.keys(OPERATORS)])];
  const functions = names
    .map((name) => environment.declaredFunction(name))
    .filter((declared) => declared !== undefined && !skipped.includes(declared.name))
    .map(
      (declared): PortFunction => ({
        name: declared?.name ?? '',
        generate: (chance) => new Expressions(calls, chance).call(declared?.name ?? '', declared?.overloads ?? []),
      }),
    );
  const macros = Object.entries(calls.macros).map(
    ([name, templates]): PortFunction => ({
      name: `macro ${name}`,
      generate: (chance) => new Expressions(calls, chance).macro(templates),
    }),
  );
  return [...functions, ...macros];
}

/** As the Go programs list them: `function: overload`. */
export function celSurface(environment: Environment): readonly string[] {
  const functions = environment
    .functionNames()
    .flatMap((name) => (environment.findFunction(name)?.overloads ?? []).map(({ id }) => `${name}: ${id}`));
  return functions.sort();
}

/** Writes the expressions of one call. */
export class Expressions {
  readonly chance: Chance;
  readonly #calls: CelCalls;
  readonly #texts: string[] = [];

  constructor(calls: CelCalls, chance: Chance) {
    this.#calls = calls;
    this.chance = chance;
  }

  call(name: string, overloads: readonly DeclaredOverload[]): Arguments {
    return [this.#call(name, this.chance.pick(overloads), 1), JSON.stringify(this.#texts)];
  }

  macro(templates: readonly string[]): Arguments {
    const written = this.chance.pick(templates).replaceAll(/\$[silt]/g, (mark) => {
      if (mark === '$s') return this.text(texts.TEXTS);
      if (mark === '$i') return this.chance.pick(INTEGERS);
      if (mark === '$t') return this.chance.pick(CONDITIONS);
      return this.value(listOf(this.#named(this.chance.pick(ELEMENTS))), 1);
    });
    return [written, JSON.stringify(this.#texts)];
  }

  #call(name: string, { args, receiverStyle }: DeclaredOverload, depth: number): string {
    const element = this.#named(this.chance.pick(ELEMENTS));
    const key = this.#named(this.chance.pick(['string', 'string', 'int', 'uint', 'bool']));
    const pools = this.#calls.textPools.find(([pattern]) => pattern.test(name));
    const written = args.map((type, index) => {
      const concrete = replaced(type, key, element);
      const pool = pools?.[index + 1] as readonly string[] | undefined;
      // The original creates every list that it is asked for.
      if (name === 'lists.range') return this.chance.pick(LENGTHS);
      if (this.chance.in(4)) return `dyn(${this.value(this.#named(this.chance.pick(SCALARS)), depth)})`;
      if (concrete.kind === 'string' && this.chance.in(80)) return this.text(pool ?? texts.TEXTS);
      if (concrete.name === 'list' && concrete.parameters[0]?.kind === 'string' && pool !== undefined) {
        return `[${this.chance.several(0, 4, () => this.text(pool)).join(', ')}]`;
      }
      return this.value(concrete, depth);
    });
    const operator = OPERATORS[name];
    if (operator !== undefined)
      return operator.replaceAll(/\$([0-2])/g, (_, index: string) => written[Number(index)] ?? '');
    if (!receiverStyle) return `${name}(${written.join(', ')})`;
    return `${written[0]}.${name}(${written.slice(1).join(', ')})`;
  }

  /** Written in the expression, or in `object`. */
  text(pool: readonly string[]): string {
    const made = this.chance.text(pool);
    // The original computes every digit.
    const text = /[eE][+-]?\d{4}/.test(made) && pool === texts.QUANTITIES ? '1e3' : made;
    if (!this.chance.in(30)) return quoted(text);
    this.#texts.push(text);
    return `object[${this.#texts.length - 1}]`;
  }

  value(type: Type, depth: number): string {
    const { chance } = this;
    if (depth > 0 && chance.in(12)) {
      const nested = this.#returning(type, depth - 1);
      if (nested !== undefined) return nested;
    }
    const made = this.#calls.values[type.name];
    if (made !== undefined) return made(this);
    const [first, second] = type.parameters;
    switch (type.name) {
      case 'int':
        return chance.pick(INTEGERS);
      case 'uint':
        return chance.pick(UNSIGNED);
      case 'double':
        return chance.pick(DOUBLES);
      case 'bool':
        return chance.pick(['true', 'false']);
      case 'bytes':
        return chance.pick(BYTES);
      case 'null_type':
        return 'null';
      case 'string':
        return this.text(texts.TEXTS);
      case 'google.protobuf.Timestamp':
        return `timestamp(${this.text(texts.TIMESTAMPS)})`;
      case 'google.protobuf.Duration':
        return `duration(${this.text(texts.DURATIONS)})`;
      case 'type':
        return chance.pick(['int', 'string', 'type(1)', 'type("a")', 'list', 'bool', 'null_type', 'type(type)']);
      case 'optional_type':
        return chance.in(25) ? 'optional.none()' : `optional.of(${this.value(first as Type, depth)})`;
      case 'list': {
        const items = chance.several(0, 4, () => this.value(first as Type, depth - 1));
        if (items.length > 1 && chance.in(30)) items.push(items[0] as string);
        return `[${items.join(', ')}]`;
      }
      case 'map': {
        const keys = [...new Set(chance.several(0, 3, () => this.value(first as Type, 0)))];
        return `{${keys.map((key) => `${key}: ${this.value(second as Type, depth - 1)}`).join(', ')}}`;
      }
      case 'dyn':
      case 'google.protobuf.Any': {
        const other = this.value(this.#named(chance.pick([...SCALARS, 'list', 'map'])), depth - 1);
        return chance.in(50) ? `dyn(${other})` : other;
      }
      default:
        return `dyn(${this.value(STRING, 0)})`;
    }
  }

  /** A call of a random function with this result. */
  #returning(type: Type, depth: number): string | undefined {
    const { environment, skipped } = this.#calls;
    const name = this.chance.pick(environment.callNames());
    if (skipped.includes(name)) return undefined;
    const fitting = environment
      .declaredFunction(name)
      ?.overloads.filter(({ result }) => String(result) === String(type));
    if (fitting === undefined || fitting.length === 0) return undefined;
    return this.#call(name, this.chance.pick(fitting), depth);
  }

  #named(name: string): Type {
    const { chance } = this;
    const scalar = (kind: string): Type => SIMPLE.get(kind) as Type;
    if (name === 'list') return listOf(scalar(chance.pick(ELEMENTS)));
    return name === 'map' ? mapOf(STRING, scalar(chance.pick(ELEMENTS))) : scalar(name);
  }
}

const CONDITIONS = [
  'x == 1',
  'x > 1',
  'true',
  'false',
  'x == "a"',
  '1 / x > 0',
  'x.size() > 0',
  'string(x) == "1"',
  'dyn(x) == 1.0',
  'x in [1]',
  'type(x) == int',
];

/** With the type parameters replaced: `K` or `A` of a map's key by `key`, others by `element`. */
function replaced(type: Type, key: Type, element: Type): Type {
  if (type.kind === 'param') return element;
  if (type.parameters.length === 0) return type;
  const parameters = type.parameters.map((parameter, index) =>
    type.kind === 'map' && index === 0 && parameter.kind === 'param' ? key : replaced(parameter, key, element),
  );
  return new Type(type.kind, type.name, parameters);
}

/** A CEL text literal. */
export function quoted(text: string): string {
  const escaped = [...text].map((character) => {
    if (character === '"' || character === '\\') return `\\${character}`;
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0x20 && code !== 0x7f && !(code >= 0x80 && code < 0xa1) && code !== 0x2028 && code !== 0xfeff)
      return character;
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });
  return `"${escaped.join('')}"`;
}
