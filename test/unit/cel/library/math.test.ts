// Math functions: extremes, rounding, signs, bits, as in cel-go v0.26.
import { expect, it } from 'vitest';
import { evaluateCel } from '../../../support/cel.ts';
import { MATH } from '../../../support/cel-extensions/math.ts';

const answer = (text: string) => {
  const { value, error } = evaluateCel(text, { libraries: [MATH] });
  return error === undefined ? value : `error: ${error}`;
};

it.each<[string, unknown]>([
  ['math.least(1)', 1n],
  ['math.least(3, 1.5, 2u)', 1.5],
  ['math.least(1, 1u)', 1n],
  ['math.least(1u, 1)', { uint: 1n }],
  ['math.greatest(-1, 5u, 3)', { uint: 5n }],
  ['math.least([1, 2, 3])', 1n],
  ['math.greatest([])', 'error: math.greatest() invalid single argument value'],
  ['math.greatest(dyn([]))', 'error: math.@max(list) argument must not be empty'],
  ["math.least(dyn(['a', 'b']))", 'error: no such overload: math.@min(list)'],
  ["math.least('a')", 'error: math.least() invalid single argument value'],
  ['math.least({})', 'error: math.least() invalid single argument value'],
  ["math.least(1, 'a')", 'error: math.least() simple literal arguments must be numeric'],
  ['math.least()', 'error: math.least() requires at least one argument'],
  ["math.least(dyn('a'), 1)", 'error: no such overload: math.@min(string, int)'],
  ['math.least(0.0 / 0.0, 1.0)', 'error: NaN values cannot be ordered: math.@min'],
  ['math.least(1, 2, 0.0 / 0.0)', 'error: no such overload: math.@min'],
  ["math.greatest(dyn([1, 'a']))", 'error: no such overload: math.@max'],
  ["'a'.least(1)", "error: undeclared reference to 'least' (in container '')"],
])('%s', (text, expected) => {
  expect(answer(text)).toEqual(expected);
});

it.each<[string, unknown]>([
  ['math.round(-0.5)', -1],
  ['math.round(2.5)', 3],
  ['math.round(0.49999999999999994)', 0],
  ['math.round(-0.2)', -0],
  ['math.ceil(1.2)', 2],
  ['math.floor(-1.2)', -2],
  ['math.trunc(-1.9)', -1],
  ['math.isInf(-1.0 / 0.0)', true],
  ['math.isNaN(0.0 / 0.0)', true],
  ['math.isFinite(1.0 / 0.0)', false],
  ['math.abs(-1)', 1n],
  ['math.abs(-9223372036854775808)', 'error: integer overflow'],
  ['math.abs(-1.5)', 1.5],
  ['math.abs(2u)', { uint: 2n }],
  ['math.sign(-0.0)', 0],
  ['math.sign(0.0 / 0.0)', Number.NaN],
  ['math.sign(-3)', -1n],
  ['math.sign(3u)', { uint: 1n }],
  ['math.sqrt(81)', 9],
  ['math.sqrt(-15)', Number.NaN],
  ['math.sqrt(2u)', Math.SQRT2],
])('%s', (text, expected) => {
  expect(answer(text)).toEqual(expected);
});

it.each<[string, unknown]>([
  ['math.bitAnd(-1, 5)', 5n],
  ['math.bitAnd(6u, 3u)', { uint: 2n }],
  ['math.bitOr(1, 2)', 3n],
  ['math.bitXor(-1, 1)', -2n],
  ['math.bitNot(1)', -2n],
  ['math.bitNot(0u)', { uint: 18446744073709551615n }],
  ['math.bitShiftLeft(1, 63)', -9223372036854775808n],
  ['math.bitShiftLeft(1, 64)', 0n],
  ['math.bitShiftLeft(3u, 63)', { uint: 9223372036854775808n }],
  ['math.bitShiftLeft(1u, 9223372036854775807)', { uint: 0n }],
  ['math.bitShiftLeft(1, -1)', 'error: math.bitShiftLeft() negative offset: -1'],
  ['math.bitShiftRight(-1, 1)', 9223372036854775807n],
  ['math.bitShiftRight(-1, 0)', -1n],
  ['math.bitShiftRight(8u, 2)', { uint: 2n }],
  ['math.bitShiftRight(8u, -2)', 'error: math.bitShiftRight() negative offset: -2'],
])('%s', (text, expected) => {
  expect(answer(text)).toEqual(expected);
});
