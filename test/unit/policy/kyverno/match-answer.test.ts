// Criteria whose facts are unknown: Kleene logic.
import { expect, it } from 'vitest';
import {
  allMatch,
  anyMatches,
  both,
  type MatchAnswer,
  openReason,
  unless,
} from '../../../../src/policy/kyverno/matching/match-answer.ts';

const one: MatchAnswer = { open: ['one'] };
const other: MatchAnswer = { open: ['other', 'one'] };

it.each<[MatchAnswer, MatchAnswer, MatchAnswer, MatchAnswer]>([
  [true, true, true, true],
  [true, false, false, true],
  [one, false, false, one],
  [one, true, one, true],
  [one, other, { open: ['one', 'other'] }, { open: ['one', 'other'] }],
])('%j and %j', (first, second, all, any) => {
  expect(both(first, second)).toEqual(all);
  expect(allMatch([first, second], (answer) => answer)).toEqual(all);
  expect(anyMatches([first, second], (answer) => answer)).toEqual(any);
});

it('an open exclusion stays open', () => {
  expect([unless(true), unless(false), unless(one)]).toEqual([false, true, one]);
  expect(openReason({ open: ['a', 'b'] })).toBe('a, and b');
});
