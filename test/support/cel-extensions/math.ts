// cel-go's `ext.Math`, version 2. Not in Kubernetes.

import type { FunctionDeclaration, Library, Overload } from '../../../src/cel/declaration/library.ts';
import { noSuchOverload } from '../../../src/cel/library/no-such-overload.ts';
import { intOverflow, MIN_INT } from '../../../src/cel/value/integer.ts';
import { compare, type Order } from '../../../src/cel/value/ordering.ts';
import { Uint } from '../../../src/cel/value/scalar.ts';
import { ErrorValue, type ListValue, type Value } from '../../../src/cel/value/value.ts';
import { GREATEST_MACRO, LEAST_MACRO } from './extremum-macros.ts';

const NUMBERS: readonly string[] = ['int', 'uint', 'double'];

/** `@min` or `@max`. `passed`: how the current choice compares with a value that replaces it. */
function extremum(shortName: 'min' | 'max', passed: Order): FunctionDeclaration {
  const name = `math.@${shortName}`;
  const ofPair = (first: Value, second: Value): Value => {
    const order = compare(first, second);
    if (order === undefined) return noSuchOverload();
    if (order instanceof ErrorValue) return new ErrorValue(`${order.message}: ${name}`);
    return order === passed ? second : first;
  };
  const ofList = (list: ListValue): Value => {
    const [first, ...rest] = list;
    if (first === undefined) return new ErrorValue(`${name}(list) argument must not be empty`);
    const chosen = rest.reduce((best, value) => (best instanceof ErrorValue ? best : ofPair(best, value)), first);
    return isNumber(chosen) ? chosen : new ErrorValue(`no such overload: ${name}`);
  };
  const overload = (parameters: readonly string[], result: string, evaluate: Overload['evaluate']): Overload => ({
    id: `math_@${shortName}_${parameters.join('_').replace(/list\((.*)\)/, 'list_$1')}`,
    signature: `${name}(${parameters.join(', ')}) -> ${result}`,
    evaluate,
  });
  const pairs = NUMBERS.flatMap((first) =>
    NUMBERS.map((second) => overload([first, second], first === second ? first : 'dyn', ofPair)),
  );
  const singles = NUMBERS.map((type) => overload([type], type, (value) => value));
  const lists = NUMBERS.map((type) => overload([`list(${type})`], type, ofList as Overload['evaluate']));
  return { name, overloads: [...singles, ...pairs, ...lists] };
}

function isNumber(value: Value): boolean {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof Uint;
}

/** Rounds half away from zero. */
function round(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value));
}

function absolute(value: bigint): bigint | ErrorValue {
  if (value === MIN_INT) return intOverflow();
  return value < 0n ? -value : value;
}

function signOfDouble(value: number): number {
  // Unlike Math.sign, returns no negative zero.
  return value === 0 ? 0 : Math.sign(value);
}

function signOfInt(value: bigint): bigint {
  if (value === 0n) return 0n;
  return value < 0n ? -1n : 1n;
}

type IntOperation = (left: bigint, right: bigint) => bigint;

/** One operation for both integer types; an int uses its two's complement bits. */
function bitwise(name: string, operation: IntOperation): FunctionDeclaration {
  return functionOf(name, [
    ['int_int', 'int, int', 'int', (left: bigint, right: bigint) => BigInt.asIntN(64, operation(left, right))],
    ['uint_uint', 'uint, uint', 'uint', (left: Uint, right: Uint) => new Uint(operation(left.value, right.value))],
  ]);
}

/** `operation` gets the bits as an unsigned number, and fewer than 64 positions. */
function shift(name: string, operation: IntOperation): FunctionDeclaration {
  const shifted = (bits: bigint, places: bigint): bigint | ErrorValue => {
    if (places < 0n) return new ErrorValue(`math.${name}() negative offset: ${places}`);
    return places > 63n ? 0n : BigInt.asUintN(64, operation(BigInt.asUintN(64, bits), places));
  };
  const ofInt = (value: bigint, places: bigint): Value => {
    const bits = shifted(value, places);
    return typeof bits === 'bigint' ? BigInt.asIntN(64, bits) : bits;
  };
  const ofUint = ({ value }: Uint, places: bigint): Value => {
    const bits = shifted(value, places);
    return typeof bits === 'bigint' ? new Uint(bits) : bits;
  };
  return functionOf(name, [
    ['int_int', 'int, int', 'int', ofInt],
    ['uint_int', 'uint, int', 'uint', ofUint],
  ]);
}

type Row = readonly [
  idSuffix: string,
  parameters: string,
  result: string,
  // biome-ignore lint/suspicious/noExplicitAny: each row has parameters of its own.
  evaluate: (...args: any[]) => Value,
];

function functionOf(name: string, rows: readonly Row[]): FunctionDeclaration {
  const overloads = rows.map(([idSuffix, parameters, result, evaluate]) => ({
    id: `math_${name}_${idSuffix}`,
    signature: `math.${name}(${parameters}) -> ${result}`,
    evaluate,
  }));
  return { name: `math.${name}`, overloads };
}

function ofDouble(name: string, result: string, evaluate: (value: number) => Value): FunctionDeclaration {
  return functionOf(name, [['double', 'double', result, evaluate]]);
}

export const MATH: Library = {
  name: 'cel.lib.ext.math',
  functions: [
    extremum('min', 1),
    extremum('max', -1),
    ofDouble('ceil', 'double', Math.ceil),
    ofDouble('floor', 'double', Math.floor),
    ofDouble('round', 'double', round),
    ofDouble('trunc', 'double', Math.trunc),
    ofDouble('isInf', 'bool', (value) => Math.abs(value) === Number.POSITIVE_INFINITY),
    ofDouble('isNaN', 'bool', Number.isNaN),
    ofDouble('isFinite', 'bool', Number.isFinite),
    functionOf('abs', [
      ['double', 'double', 'double', Math.abs],
      ['int', 'int', 'int', absolute],
      ['uint', 'uint', 'uint', (value: Uint) => value],
    ]),
    functionOf('sign', [
      ['double', 'double', 'double', signOfDouble],
      ['int', 'int', 'int', signOfInt],
      ['uint', 'uint', 'uint', ({ value }: Uint) => new Uint(signOfInt(value))],
    ]),
    functionOf('sqrt', [
      ['double', 'double', 'double', Math.sqrt],
      ['int', 'int', 'double', (value: bigint) => Math.sqrt(Number(value))],
      ['uint', 'uint', 'double', ({ value }: Uint) => Math.sqrt(Number(value))],
    ]),
    bitwise('bitAnd', (left, right) => left & right),
    bitwise('bitOr', (left, right) => left | right),
    bitwise('bitXor', (left, right) => left ^ right),
    functionOf('bitNot', [
      ['int_int', 'int', 'int', (value: bigint) => ~value],
      ['uint_uint', 'uint', 'uint', ({ value }: Uint) => new Uint(BigInt.asUintN(64, ~value))],
    ]),
    shift('bitShiftLeft', (bits, places) => bits << places),
    shift('bitShiftRight', (bits, places) => bits >> places),
  ],
  macros: [LEAST_MACRO, GREATEST_MACRO],
};
