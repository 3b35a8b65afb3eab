// Numbers and strings as Go parses, formats and sorts them.
import { describe, expect, it } from 'vitest';
import { formatDouble, formatDoublePlain } from '../../../../src/go/strconv/float-text.ts';
import { parseGoFloat } from '../../../../src/go/strconv/parse-float.ts';
import { codePointLength, compareStrings } from '../../../../src/go/strings/string-order.ts';

describe('doubles', () => {
  it.each([
    [0, '0', '0'],
    [-0, '-0', '-0'],
    [1, '1', '1'],
    [100_000, '100000', '100000'],
    [1_000_000, '1e+06', '1000000'],
    [123_456_789, '1.23456789e+08', '123456789'],
    [1e21, '1e+21', '1000000000000000000000'],
    [0.0001, '0.0001', '0.0001'],
    [0.00001, '1e-05', '0.00001'],
    [-12.5, '-12.5', '-12.5'],
    [5e-324, '5e-324', `0.${'0'.repeat(323)}5`],
    [Number.POSITIVE_INFINITY, '+Inf', '+Inf'],
    [Number.NaN, 'NaN', 'NaN'],
  ])('%d', (value, general, plain) => {
    expect(formatDouble(value)).toBe(general);
    expect(formatDoublePlain(value)).toBe(plain);
  });

  it.each([
    ['1', 1],
    ['+.5', 0.5],
    ['5.', 5],
    ['1_0', 10],
    ['1e3', 1000],
    ['0x1p-2', 0.25],
    ['-0X1.8P1', -3],
    ['0x_1p0', 1],
    ['0x1fffffffffffffp0', 9_007_199_254_740_991],
    ['0x20000000000001p0', 9_007_199_254_740_992],
    ['0x20000000000003p0', 9_007_199_254_740_996],
    ['Infinity', Number.POSITIVE_INFINITY],
    ['-inf', Number.NEGATIVE_INFINITY],
    ['nan', Number.NaN],
  ])('reads %s', (text, value) => {
    expect(parseGoFloat(text)).toBe(value);
  });

  it.each(['', '.', 'e1', '1e', ' 1', '1 ', '0x1', '0x.p1', '1__0', '_1', '1_', '1e999', 'infin', '-nan', '1,5'])(
    'rejects %j',
    (text) => {
      expect(parseGoFloat(text)).toBeUndefined();
    },
  );
});

describe('strings', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['é', 1],
    ['🐱', 1],
    ['a🐱b', 3],
    ['\ud800', 1],
    ['\udc00\ud800', 2],
  ])('%j has %d code points', (text, length) => {
    expect(codePointLength(text)).toBe(length);
  });

  it.each([
    ['a', 'a', 0],
    ['a', 'b', -1],
    ['a', 'ab', -1],
    ['', 'a', -1],
    // U+FF61 comes after the surrogates in UTF-16, but before U+10000 in UTF-8.
    ['\uff61', '\u{10000}', -1],
    ['\u{10000}', '\u{10001}', -1],
  ])('%j against %j', (left, right, order) => {
    expect(compareStrings(left, right)).toBe(order);
    expect(compareStrings(right, left)).toBe(order === 0 ? 0 : -order);
  });
});
