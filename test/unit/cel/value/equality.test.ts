// Equality and order across types, and maps with keys of any type.
import { describe, expect, it } from 'vitest';
import { equals } from '../../../../src/cel/value/equality.ts';
import { KeyedMap } from '../../../../src/cel/value/keyed-map.ts';
import { compare } from '../../../../src/cel/value/ordering.ts';
import { Bytes, Duration, Timestamp, Uint } from '../../../../src/cel/value/scalar.ts';
import { ErrorValue, Optional, type Value } from '../../../../src/cel/value/value.ts';
import { Meter, WorkExceeded } from '../../../../src/go/meter.ts';

const bytes = (...data: number[]): Bytes => new Bytes(new Uint8Array(data));
const keyed = (...entries: [Value, Value][]): KeyedMap => {
  const map = new KeyedMap();
  for (const [key, value] of entries) map.set(key, value);
  return map;
};

describe('equals', () => {
  it.each<[Value, Value]>([
    [1n, 1],
    [1n, new Uint(1n)],
    [1, new Uint(1n)],
    [9_007_199_254_740_993n, 9_007_199_254_740_992],
    [null, null],
    ['a', 'a'],
    [bytes(1), bytes(1)],
    [
      [1n, [2]],
      [1, [2n]],
    ],
    [new Map([['a', 1n]]), new Map([['a', 1]])],
    [keyed([1n, 'a']), keyed([new Uint(1n), 'a'])],
    [new Timestamp(0n, 1, 0), new Timestamp(0n, 1, 3600)],
    [new Duration(5n), new Duration(5n)],
    [Optional.of(1n), Optional.of(1)],
    [Optional.none, Optional.none],
  ])('%o is %o', (left, right) => {
    expect(equals(left, right)).toBe(true);
    expect(equals(right, left)).toBe(true);
  });

  it.each<[Value, Value]>([
    [1n, '1'],
    [0n, false],
    [null, 0n],
    [1n, Number.NaN],
    [Number.NaN, Number.NaN],
    [-1n, new Uint(0xffff_ffff_ffff_ffffn)],
    [[], new Map()],
    [[1n], [1n, 2n]],
    [new Map([['a', 1n]]), new Map([['b', 1n]])],
    [new Map([['a', null]]), new Map()],
    [Optional.none, Optional.of(null)],
    [Optional.of(1n), 1n],
    ['a', bytes(97)],
  ])('%o is not %o', (left, right) => {
    expect(equals(left, right)).toBe(false);
    expect(equals(right, left)).toBe(false);
  });

  it('can be limited in work', () => {
    const list = Array.from({ length: 100 }, (_, index) => BigInt(index));
    expect(() => equals(list, [...list], new Meter(50))).toThrow(WorkExceeded);
    expect(equals(list, [...list], new Meter(100))).toBe(true);
  });
});

describe('compare', () => {
  it.each<[Value, Value, number]>([
    [1n, 2n, -1],
    [2n, 1.5, 1],
    [1n, new Uint(1n), 0],
    [-1n, new Uint(0n), -1],
    [Number.NEGATIVE_INFINITY, -9_223_372_036_854_775_808n, -1],
    [1e300, new Uint(1n), 1],
    [false, true, -1],
    [bytes(1, 2), bytes(1), 1],
    [new Timestamp(0n, 1), new Timestamp(0n, 2), -1],
    [new Duration(-1n), new Duration(0n), -1],
  ])('%o against %o', (left, right, order) => {
    expect(compare(left, right)).toBe(order);
  });

  it('explains why values are not comparable', () => {
    expect(compare(1n, 'a')).toEqual(new ErrorValue('no such overload', 'no-such-overload'));
    expect(compare(Number.NaN, 1n)).toEqual(new ErrorValue('NaN values cannot be ordered'));
    expect(compare(null, null)).toBeUndefined();
    expect(compare([], [])).toBeUndefined();
  });
});

describe('KeyedMap', () => {
  it('distinguishes equal numbers of different types and finds the nearest', () => {
    const map = keyed([1n, 'int'], [new Uint(1n), 'uint'], [2.5, 'double']);
    expect(map.size).toBe(3);
    expect(map.get(1n)).toBe('int');
    expect(map.get(new Uint(1n))).toBe('uint');
    expect(map.get(1)).toBe('int');
    expect(map.get(2.5)).toBe('double');
    expect(map.get('1')).toBeUndefined();
  });

  it('does not look up doubles for integers', () => {
    expect(keyed([1, 'double']).get(1n)).toBeUndefined();
  });

  it('becomes a plain map if all keys are strings', () => {
    expect(keyed(['a', 1n]).toMapValue()).toEqual(new Map([['a', 1n]]));
    expect(keyed(['a', 1n], [true, 2n]).toMapValue()).toBeInstanceOf(KeyedMap);
  });
});
