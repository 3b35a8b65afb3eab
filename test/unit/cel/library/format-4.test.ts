// `format` and `reverse` of version 4 of the strings library, as in cel-go v0.26.
import { expect, it } from 'vitest';
import { OPTIONAL_LIBRARY } from '../../../../src/cel/library/optional.ts';
import { evaluateCel } from '../../../support/cel.ts';
import { STRINGS_4 } from '../../../support/cel-extensions/strings-4.ts';

const settings = { libraries: [OPTIONAL_LIBRARY, STRINGS_4] };

it.each([
  ["'%f'.format([1])", '%!f(int64=000001)'],
  ["'%.0f'.format([0])", '%!f(int64=)'],
  ["'%f'.format([1u])", '%!f(uint64=000001)'],
  ["'%e'.format([-5])", '%!e(int64=-000005)'],
  ["'%f'.format([-0.0])", '-0.000000'],
  ["'%.0f'.format([2.5])", '2'],
  ["'%.3f'.format([1234567.0005])", '1234567.001'],
  ["'%.0e'.format([2.5])", '2e+00'],
  ["'%.2e'.format([0.0])", '0.00e+00'],
  ["'%e'.format([-0.0])", '-0.000000e+00'],
  ["'%.2e'.format([1.235e-7])", '1.23e-07'],
  ["'%.2e'.format([9.999e99])", '1.00e+100'],
  ["'%f'.format([double('-Infinity')])", '-Infinity'],
  ["'%d'.format([1.5])", '1.5'],
  ["'%d'.format([1e30])", '1000000000000000000000000000000'],
  ["'%b'.format([true])", '1'],
  ["'%x'.format([-5])", '-5'],
  ["'%X'.format(['añ'])", '61C3B1'],
  ["'%x'.format([b'\\377'])", 'ff'],
  ["'%o'.format([8u])", '10'],
  ["'%s'.format([-0.0])", '-0'],
  ["'%s'.format([duration('1.5s')])", '1.5s'],
  ["'%s'.format([type([1])])", 'list'],
  ["'%s'.format([[1u, 'a\"b', {1: 'b', 'a': [null]}]])", '[1, a"b, {1: b, a: [null]}]'],
  ["'%s'.format([timestamp('2024-01-01T00:00:00.5Z')])", '2024-01-01T00:00:00.5Z'],
  ["'%.2s'.format(['abc'])", 'abc'],
  ["'ab😀'.reverse()", '😀ba'],
])('%s', (text, value) => {
  expect(evaluateCel(text, settings).value).toBe(value);
});

it('writes the number of zeros that the precision requires', () => {
  const text = evaluateCel("'%.1000001f'.format([1.5])", settings).value as string;
  expect([text.length, text.slice(0, 4)]).toEqual([1_000_003, '1.50']);
});

it.each([
  ["'%d'.format([true])", 'decimal clause can only be used on ints, uints, and doubles, was given bool'],
  ["'%f'.format(['NaN'])", 'fixed-point clause can only be used on ints, uints, and doubles, was given string'],
  ["'%o'.format([1.0])", 'octal clause can only be used on ints and uints, was given double'],
  [
    "'%s'.format([[optional.of(1)]])",
    'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and ' +
      'timestamps, was given optional_type',
  ],
])('%s', (text, message) => {
  expect(evaluateCel(text, settings).error).toBe(`error during formatting: ${message}`);
});
