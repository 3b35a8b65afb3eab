// `math.*`: the newest version of cel-go's `ext/math.go`, and Kyverno's `math.round` to a number of digits.
import type { Library } from '../../../../cel/declaration/library.ts';
import type { Expr } from '../../../../cel/syntax/ast.ts';
import type { Macro } from '../../../../cel/syntax/macro.ts';
import { compare } from '../../../../cel/value/ordering.ts';
import { Uint } from '../../../../cel/value/scalar.ts';
import { ErrorValue, type ListValue, type Value } from '../../../../cel/value/value.ts';
import { declarationsOf, type FunctionRow } from '../../../../kubernetes/cel/library/declaration.ts';

const NUMBERS: readonly string[] = ['double', 'int', 'uint'];

function extreme(name: 'min' | 'max', wanted: 1 | -1): readonly FunctionRow[] {
  const call = `math.@${name}`;
  const better = (left: Value, right: Value): Value => {
    const order = compare(left, right);
    if (order instanceof ErrorValue) return order;
    return Number(order) * wanted >= 0 ? left : right;
  };
  const row = (types: readonly string[], result: string, evaluate: (...args: Value[]) => Value): FunctionRow => {
    return [call, `math_@${name}_${types.join('_')}`, `${call}(${types.join(', ')}) -> ${result}`, 'unit', evaluate];
  };
  return [
    ...NUMBERS.map((type) => row([type], type, (value) => value)),
    ...NUMBERS.flatMap((one) =>
      NUMBERS.map((other) =>
        row([one, other], one === other ? one : 'dyn', (left, right) => better(left as Value, right as Value)),
      ),
    ),
    ...NUMBERS.map(
      (type): FunctionRow => [
        call,
        `math_@${name}_list_${type}`,
        `${call}(list(${type})) -> ${type}`,
        'unit',
        (list: ListValue) => {
          if (list.length === 0) return new ErrorValue(`math.@${name}(list) argument must not be empty`);
          return list.reduce((best, value) => (best instanceof ErrorValue ? best : better(best, value)));
        },
      ],
    ),
  ];
}

function extremeMacro(name: 'least' | 'greatest', implementation: string): Macro {
  return {
    name,
    argCount: 'any',
    receiverStyle: true,
    expand: (factory, target, args) => {
      if (target?.kind !== 'ident' || target.name !== 'math') return undefined;
      const [first] = args;
      if (first === undefined) return factory.error(target, `math.${name}() requires at least one argument`);
      const isWrong = (argument: Expr): boolean => {
        if (argument.kind === 'literal')
          return !['bigint', 'number'].includes(typeof argument.value) && !(argument.value instanceof Uint);
        return argument.kind === 'map' || argument.kind === 'struct' || argument.kind === 'list';
      };
      /** A list of numbers is the only list that may be the single argument. */
      const isWrongList = (argument: Expr): boolean =>
        argument.kind === 'list' && (argument.elements.length === 0 || argument.elements.some(isWrong));
      if (args.length === 1) {
        if (first.kind === 'list' ? isWrongList(first) : isWrong(first))
          return factory.error(first, `math.${name}() invalid single argument value`);
        return factory.call(implementation, first);
      }
      const wrong = args.find(isWrong);
      if (wrong !== undefined) return factory.error(wrong, `math.${name}() simple literal arguments must be numeric`);
      if (args.length === 2) return factory.call(implementation, ...args);
      return factory.call(implementation, factory.list(...args));
    },
  };
}

const OVERFLOW = 'integer overflow';
const signed = (value: bigint): bigint => BigInt.asIntN(64, value);
const unsigned = (value: bigint): Uint => new Uint(BigInt.asUintN(64, value));
const toDouble = (value: Value): number =>
  typeof value === 'number' ? value : Number(value instanceof Uint ? value.value : value);

/** Go `math.Round`: rounds half away from zero. */
function round(value: number): number {
  return Number.isFinite(value) ? Math.sign(value) * Math.round(Math.abs(value)) : value;
}

function onDouble(name: string, result: string, evaluate: (value: number) => Value): FunctionRow {
  return [`math.${name}`, `math_${name}_double`, `math.${name}(double) -> ${result}`, 'unit', evaluate];
}

function bitwise(name: string, evaluate: (left: bigint, right: bigint) => bigint): readonly FunctionRow[] {
  const call = `math.${name}`;
  return [
    [
      call,
      `math_${name}_int_int`,
      `${call}(int, int) -> int`,
      'unit',
      (a: bigint, b: bigint) => signed(evaluate(a, b)),
    ],
    [
      call,
      `math_${name}_uint_uint`,
      `${call}(uint, uint) -> uint`,
      'unit',
      (a: Uint, b: Uint) => unsigned(evaluate(a.value, b.value)),
    ],
  ];
}

function shift(name: string, evaluate: (value: bigint, offset: bigint) => bigint): readonly FunctionRow[] {
  const call = `math.${name}`;
  const checked = (make: (value: bigint) => Value, value: bigint, offset: bigint): Value => {
    if (offset < 0n) return new ErrorValue(`${call}() negative offset: ${offset}`);
    return make(offset >= 64n ? 0n : evaluate(value, offset));
  };
  return [
    // Go shifts the bits of an int as an unsigned number.
    [
      call,
      `math_${name}_int_int`,
      `${call}(int, int) -> int`,
      'unit',
      (a: bigint, b: bigint) => checked(signed, BigInt.asUintN(64, a), b),
    ],
    [
      call,
      `math_${name}_uint_int`,
      `${call}(uint, int) -> uint`,
      'unit',
      (a: Uint, b: bigint) => checked(unsigned, a.value, b),
    ],
  ];
}

const ROWS: readonly FunctionRow[] = [
  ...extreme('min', -1),
  ...extreme('max', 1),
  onDouble('ceil', 'double', Math.ceil),
  onDouble('floor', 'double', Math.floor),
  onDouble('round', 'double', round),
  onDouble('trunc', 'double', Math.trunc),
  onDouble('isInf', 'bool', (value) => Math.abs(value) === Number.POSITIVE_INFINITY),
  onDouble('isNaN', 'bool', Number.isNaN),
  onDouble('isFinite', 'bool', Number.isFinite),
  onDouble('abs', 'double', Math.abs),
  [
    'math.abs',
    'math_abs_int',
    'math.abs(int) -> int',
    'unit',
    (value: bigint) =>
      signed(-value) === value && value !== 0n ? new ErrorValue(OVERFLOW) : value < 0n ? -value : value,
  ],
  ['math.abs', 'math_abs_uint', 'math.abs(uint) -> uint', 'unit', (value: Uint) => value],
  // Never negative zero.
  onDouble('sign', 'double', (value) => Math.sign(value) + 0),
  [
    'math.sign',
    'math_sign_int',
    'math.sign(int) -> int',
    'unit',
    (value: bigint) => (value > 0n ? 1n : value < 0n ? -1n : 0n),
  ],
  [
    'math.sign',
    'math_sign_uint',
    'math.sign(uint) -> uint',
    'unit',
    (value: Uint) => new Uint(value.value > 0n ? 1n : 0n),
  ],
  ...bitwise('bitAnd', (a, b) => a & b),
  ...bitwise('bitOr', (a, b) => a | b),
  ...bitwise('bitXor', (a, b) => a ^ b),
  ['math.bitNot', 'math_bitNot_int_int', 'math.bitNot(int) -> int', 'unit', (value: bigint) => ~value],
  [
    'math.bitNot',
    'math_bitNot_uint_uint',
    'math.bitNot(uint) -> uint',
    'unit',
    (value: Uint) => unsigned(~value.value),
  ],
  ...shift('bitShiftLeft', (value, offset) => value << offset),
  ...shift('bitShiftRight', (value, offset) => value >> offset),
  onDouble('sqrt', 'double', Math.sqrt),
  ['math.sqrt', 'math_sqrt_int', 'math.sqrt(int) -> double', 'unit', (value: bigint) => Math.sqrt(toDouble(value))],
  ['math.sqrt', 'math_sqrt_uint', 'math.sqrt(uint) -> double', 'unit', (value: Uint) => Math.sqrt(toDouble(value))],
  [
    'math.round',
    'math_round_float_int',
    'math.round(double, int) -> double',
    'unit',
    (value: number, digits: bigint) => {
      const factor = 10 ** Number(digits);
      return round(value * factor) / factor;
    },
  ],
];

export const MATH_LIBRARY: Library = {
  name: 'cel.lib.ext.math',
  functions: declarationsOf(ROWS),
  macros: [extremeMacro('least', 'math.@min'), extremeMacro('greatest', 'math.@max')],
};
