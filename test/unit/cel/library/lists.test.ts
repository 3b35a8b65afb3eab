// List functions, their errors and their cost; expectations were recorded from kube-apiserver 1.36.
import { describe, expect, it } from 'vitest';
import { LISTS_3 } from '../../../../src/cel/library/lists.ts';
import { evaluateCel } from '../../../support/cel.ts';

const evaluate = (text: string) => evaluateCel(text, { libraries: [LISTS_3] });

describe('values and cost', () => {
  it.each([
    ['[1, 2, 3, 4].slice(1, 3)', [2n, 3n], 13],
    ['[1, 2].slice(2, 2)', [], 11],
    ['[[1, 2], [3]].flatten()', [1n, 2n, 3n], 13],
    ['[1, [2, [3, [4]]]].flatten(2)', [1n, 2n, 3n, [4n]], 15],
    ['[1, [2]].flatten(0)', [1n, [2n]], 11],
    ['[3, 1, 2].sort()', [1n, 2n, 3n], 29],
    ["['b', 'a', '\\uffff', '😀'].sort()", ['a', 'b', '\uffff', '😀'], 44],
    ['[dyn(2), dyn(1)].sort()', [1n, 2n], 1],
    ['[3, 1, 2].sortBy(x, -x)', [3n, 2n, 1n], 74],
    ['lists.range(3)', [0n, 1n, 2n], 14],
    ['lists.range(-1)', [], 11],
    ['[1, 2, 3].reverse()', [3n, 2n, 1n], 14],
    ['[dyn(1), dyn(1.0), dyn(1u), dyn("1")].distinct()', [1n, '1'], 43],
    ['[[1], [2], [1]].distinct()', [[1n], [2n]], 29],
    ['[0.0 / 0.0, 0.0 / 0.0].distinct()', [Number.NaN, Number.NaN], 31],
  ])('%s', (text, value, cost) => {
    expect(evaluate(text)).toEqual({ value, cost });
  });
});

describe('errors', () => {
  const notList = (type: string, method: string) =>
    `internal error: interface conversion: ${type} is not traits.Lister: missing method ${method}`;
  it.each([
    ['[1, 2, 3].slice(0, 5)', 'cannot slice(0, 5), list is length 3'],
    ['[1].slice(-1, 1)', 'cannot slice(-1, 1), negative indexes not supported'],
    ['[1, 2].slice(2, 1)', 'cannot slice(2, 1), start index must be less than or equal to end index'],
    ['[dyn(1)].flatten(-1)', 'level must be non-negative'],
    ["dyn('abc').flatten()", 'no such overload: string.flatten()'],
    ['[dyn(1)].flatten(dyn(1u))', 'internal error: interface conversion: ref.Val is types.Uint, not types.Int'],
    ['[dyn([1])].sort()', 'list elements must be comparable'],
    ['[dyn(1), dyn(2u)].sort()', 'list elements must have the same type'],
    ['dyn(1).sort()', 'no such overload: sort'],
    ["dyn('a').sort()", 'no such overload'],
    ["dyn('a').distinct()", notList('types.String', 'Contains')],
    ['[1 / 0].distinct()', notList('*types.Err', 'Add')],
    ['dyn(1).reverse()', 'no such overload: reverse(int)'],
  ])('%s', (text, error) => {
    expect(evaluate(text).error).toBe(error);
  });
});

it('charges for a range that is too long', () => {
  expect(evaluate('lists.range(9223372036854775807)').cost).toBe(Number(2n ** 63n) + 11);
});

it.each([
  ['lists.range(16).sortBy(x, x % 2)', '8 10 2 14 4 12 6 0 9 7 1 11 5 13 3 15'],
  ['lists.range(20).sortBy(x, x % 4)', '0 16 4 12 8 1 17 5 13 9 10 6 14 2 18 11 7 15 3 19'],
  ['lists.range(14).sortBy(x, true)', '0 1 2 3 4 5 6 7 8 9 10 11 12 13'],
])('orders equal keys as Go does, which is not stable: %s', (text, order) => {
  expect(evaluate(text).value).toEqual(order.split(' ').map(BigInt));
});
