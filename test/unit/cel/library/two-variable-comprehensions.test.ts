// Comprehensions over keys and values, and the maps that they build.
import { describe, expect, it } from 'vitest';
import { TWO_VARIABLE_COMPREHENSIONS } from '../../../../src/cel/library/two-variable-comprehensions.ts';
import { evaluateCel } from '../../../support/cel.ts';

const evaluate = (text: string) => evaluateCel(text, { libraries: [TWO_VARIABLE_COMPREHENSIONS] });

describe('values', () => {
  it.each([
    ["['a', 'b'].all(i, v, i < 2 && v != '')", true],
    ["{'a': 1}.exists(k, v, k == 'a' && v == 1)", true],
    ['[7, 8].existsOne(i, v, i == 0)', true],
    ["['a', 'b'].transformList(i, v, v + string(i))", ['a0', 'b1']],
    ['[1, 2, 3].transformList(i, v, i > 0, v * 2)', [4n, 6n]],
    ["{'a': 1}.transformMap(k, v, v + 1) == {'a': 2}", true],
    ["['x', 'y'].transformMap(i, v, v) == {0: 'x', 1: 'y'}", true],
    ["{'a': 'x', 'b': 'y'}.transformMapEntry(k, v, {v: k}) == {'x': 'a', 'y': 'b'}", true],
    ['[1, 2].transformMapEntry(i, v, v > 1, {v: i}) == {2: 1}', true],
  ])('%s', (text, value) => {
    expect(evaluate(text)).toMatchObject({ value });
  });
});

describe('errors', () => {
  it.each([
    ['[1, 1].transformMapEntry(i, v, {v: i})', 'insert failed: key 1 already exists'],
    ['[dyn(1), dyn(1u)].transformMapEntry(i, v, {v: i})', 'insert failed: key 1 already exists'],
    ['[1].transformMapEntry(i, v, dyn(v))', 'no such overload: cel.@mapInsert(map, int)'],
    ["[b'a'].transformMapEntry(i, v, {v: i})", 'internal error: runtime error: hash of unhashable type types.Bytes'],
    ['[1].transformMap(i, v, v / 0)', 'division by zero'],
  ])('%s', (text, error) => {
    expect(evaluate(text)).toMatchObject({ error });
  });
});
