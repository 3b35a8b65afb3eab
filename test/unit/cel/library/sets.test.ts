// Lists compared as sets under CEL's equality.
import { expect, it } from 'vitest';
import { SETS } from '../../../../src/cel/library/sets.ts';
import { evaluateCel } from '../../../support/cel.ts';

it.each([
  ['sets.contains([1, 2, 3], [3, 1, 1])', true, 10],
  ['sets.contains([1, 2], [1, 4])', false, 5],
  ['sets.contains([], [])', true, 1],
  ['sets.contains([dyn(1)], [dyn(1.0)])', true, 2],
  ['sets.contains([dyn(9007199254740993)], [dyn(9007199254740992.0)])', true, 2],
  ['sets.contains([9007199254740993], [9007199254740992])', false, 2],
  ['sets.contains([[1], [2]], [[2]])', true, 3],
  ['sets.contains([0.0 / 0.0], [0.0 / 0.0])', false, 24],
  ['sets.equivalent([1, 2, 2], [2, 1])', true, 13],
  ['sets.equivalent([1], [1, 2])', false, 5],
  ["sets.intersects(['a', 'b'], ['b'])", true, 3],
  ["sets.intersects(['a'], [])", false, 1],
])('%s', (text, value, cost) => {
  expect(evaluateCel(text, { libraries: [SETS] })).toEqual({ value, cost });
});

it('accepts only lists', () => {
  expect(evaluateCel('sets.contains(dyn(1), [1])', { libraries: [SETS] }).error).toBe(
    'no such overload: sets.contains(int, list)',
  );
});
