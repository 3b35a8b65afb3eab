// Compares sets of scalars with JavaScript's, sorting with its definition, and equality with membership.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SETS } from '../../src/cel/library/sets.ts';
import { ValueSet } from '../../src/cel/library/value-set.ts';
import { equals } from '../../src/cel/value/equality.ts';
import { Uint } from '../../src/cel/value/scalar.ts';
import type { Value } from '../../src/cel/value/value.ts';
import { sortOrder } from '../../src/go/slices/sort.ts';
import { tries } from '../support/tries.ts';

const RUNS = tries(500, 20261121);

function call(name: string, left: Value, right: Value): unknown {
  return SETS.functions.find((declaration) => declaration.name === name)?.overloads[0]?.evaluate(left, right);
}

test('sets of integers and strings agree with JavaScript', () => {
  const members = fc.oneof(fc.array(fc.bigInt(-2n, 3n)), fc.array(fc.constantFrom('a', 'b', 'c')));
  fc.assert(
    fc.property(members, members, (left, right) => {
      const [one, other] = [new Set<unknown>(left), new Set<unknown>(right)];
      const contains = right.every((value) => one.has(value));
      expect(call('sets.contains', left, right)).toBe(contains);
      expect(call('sets.equivalent', left, right)).toBe(contains && left.every((value) => other.has(value)));
      expect(call('sets.intersects', left, right)).toBe(left.some((value) => other.has(value)));
    }),
    RUNS,
  );
});

const number: fc.Arbitrary<Value> = fc.oneof(
  fc.bigInt(-2n, 3n),
  fc.nat(3).map((value) => new Uint(BigInt(value))),
  fc.constantFrom(0, -0, 1, 1.5, 2, Number.NaN, 2 ** 53, 2 ** 63),
  fc.constantFrom(2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, new Uint(2n ** 63n), new Uint(2n ** 64n - 1n)),
);
const anything = fc.oneof(number, fc.constantFrom<Value>('a', true, null, ['a'], [1n], new Map([['a', 1n]])));

test('a set contains every value equal to a member', () => {
  fc.assert(
    fc.property(fc.array(anything), anything, (members, value) => {
      expect(new ValueSet(members).has(value)).toBe(members.some((member) => equals(value, member)));
    }),
    RUNS,
  );
});

test('sorting returns ordered lists', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20), { maxLength: 200 }), (keys) => {
      const order = sortOrder(keys.length, (a, b) => (keys[a] as number) < (keys[b] as number));
      expect(order.map((index) => keys[index])).toEqual([...keys].sort((a, b) => a - b));
      expect(new Set(order).size).toBe(keys.length);
    }),
    RUNS,
  );
});
