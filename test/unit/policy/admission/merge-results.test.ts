// Merging the results of several worlds in which different fields of a policy may decide.
import { expect, test } from 'vitest';
import type { Decision, ValidateResult } from '../../../../src/policy/admission/validating/decision.ts';
import { mergeResults } from '../../../../src/policy/admission/validating/merge-results.ts';

type Told = readonly [list: 'validations' | 'matchConditions', index: number, evaluation: 'admit' | 'deny' | 'error'];

function decision([list, index, evaluation]: Told): Decision {
  const action = evaluation === 'admit' ? 'admit' : 'deny';
  const rule = ['spec', list, index, 'expression'];
  return { action, evaluation, message: '', reason: '', rule, expression: undefined, explain: () => [] };
}

function merged(...worlds: readonly (readonly Told[])[]): readonly unknown[] {
  const results = worlds.map(
    (told): ValidateResult => ({
      decisions: told.map(decision),
      auditAnnotations: [],
      skipped: told.length === 0,
      passes: false,
    }),
  );
  const { result } = mergeResults({ results, missing: ['who knows'], isExhaustive: true });
  return result.decisions.map(({ rule, evaluation }) => [rule[1], rule[2], evaluation]);
}

test('a validation is settled only if it decides the same in all worlds', () => {
  expect(
    merged(
      [
        ['validations', 0, 'deny'],
        ['validations', 1, 'admit'],
      ],
      [
        ['validations', 0, 'deny'],
        ['validations', 1, 'deny'],
      ],
    ),
  ).toEqual([
    ['validations', 0, 'deny'],
    ['validations', 1, 'unknown'],
  ]);
});

test('a match condition in one world is not mixed up with a validation in another', () => {
  expect(
    merged(
      [['matchConditions', 0, 'error']],
      [
        ['validations', 0, 'deny'],
        ['validations', 1, 'admit'],
      ],
    ),
  ).toEqual([
    ['matchConditions', 0, 'unknown'],
    ['validations', 0, 'unknown'],
    ['validations', 1, 'admit'],
  ]);
});

test('a world without a match admits', () => {
  expect(merged([], [['validations', 0, 'deny']], [['validations', 0, 'deny']])).toEqual([
    ['validations', 0, 'unknown'],
  ]);
});
