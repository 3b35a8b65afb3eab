// `cel.bind`: names for values within one expression.
import { expect, it } from 'vitest';
import { evaluateCel } from '../../../support/cel.ts';
import { BINDINGS } from '../../../support/cel-extensions/bindings.ts';

it.each<[string, unknown]>([
  ['cel.bind(a, 1, a + a)', 2n],
  ['cel.bind(a, [1], cel.bind(b, a, b + a))', [1n, 1n]],
  ['cel.bind(a, 1 / 0, true || a == 1)', true],
])('%s', (text, value) => {
  expect(evaluateCel(text, { libraries: [BINDINGS] }).value).toEqual(value);
});

it.each([
  ['cel.bind(1, 1, 1)', 'cel.bind() variable names must be simple identifiers'],
  ['cel.bind(a.b, 1, 1)', 'cel.bind() variable names must be simple identifiers'],
  ["'x'.bind('a', 1, 1)", "undeclared reference to 'bind' (in container '')"],
])('%s', (text, error) => {
  expect(evaluateCel(text, { libraries: [BINDINGS] }).error).toBe(error);
});
