// Compares string functions with the same operations on arrays of code points, and searches with JavaScript's own.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { STRINGS_2 } from '../../src/cel/library/strings.ts';
import { findLastText, findText } from '../../src/cel/library/text-search.ts';
import { ErrorValue, type Value } from '../../src/cel/value/value.ts';
import { tries } from '../support/tries.ts';

const RUNS = tries(500, 20261121, 500);

const text = fc
  .array(fc.constantFrom('a', 'b', 'A', 'é', '😀', '\u{10ffff}', ' ', '\u0085'), { maxLength: 10 })
  .map((characters) => characters.join(''));
const part = fc.array(fc.constantFrom('a', 'b', '😀'), { maxLength: 3 }).map((characters) => characters.join(''));
const index = fc.integer({ min: -1, max: 11 });

function call(overloadId: string, ...args: Value[]): unknown {
  const overload = STRINGS_2.functions.flatMap(({ overloads }) => overloads).find(({ id }) => id === overloadId);
  const result = overload?.evaluate(...args);
  return result instanceof ErrorValue ? 'error' : result;
}

/** Position of `sought` in `characters`: the first at or after `from`, or the last at or before it. */
function position(characters: readonly string[], sought: readonly string[], from: number, step: 1 | -1): number {
  for (let start = from; start >= 0 && start <= characters.length - sought.length; start += step) {
    if (sought.every((character, offset) => characters[start + offset] === character)) return start;
  }
  return -1;
}

describe('code points', () => {
  test('substring and charAt', () => {
    fc.assert(
      fc.property(text, index, index, (input, start, end) => {
        const characters = [...input];
        const valid = start >= 0 && start <= end && end <= characters.length;
        expect(call('string_substring_int_int', input, BigInt(start), BigInt(end))).toBe(
          valid ? characters.slice(start, end).join('') : 'error',
        );
        const inside = start >= 0 && start <= characters.length;
        expect(call('string_char_at_int', input, BigInt(start))).toBe(inside ? (characters[start] ?? '') : 'error');
      }),
      RUNS,
    );
  });

  test('indexOf and lastIndexOf', () => {
    fc.assert(
      fc.property(text, part, index, (input, sought, from) => {
        fc.pre(sought !== '' && from >= 0);
        const characters = [...input];
        const wanted = [...sought];
        const start = from < characters.length ? position(characters, wanted, from, 1) : -1;
        expect(call('string_index_of_string_int', input, sought, BigInt(from))).toBe(BigInt(start));
        const last = Math.min(from, characters.length - wanted.length);
        const end = from < characters.length ? position(characters, wanted, last, -1) : -1;
        expect(call('string_last_index_of_string_int', input, sought, BigInt(from))).toBe(BigInt(end));
      }),
      RUNS,
    );
  });

  test('split, join and replace', () => {
    fc.assert(
      fc.property(text, part, text, (input, separator, other) => {
        const parts = call('string_split_string', input, separator) as string[];
        expect(parts).toEqual(separator === '' ? [...input] : input.split(separator));
        expect(call('list_join_string', parts, separator)).toBe(input);
        expect(call('string_replace_string_string', input, separator, other)).toBe(
          separator === '' ? ['', ...input, ''].join(other) : input.replaceAll(separator, () => other),
        );
      }),
      RUNS,
    );
  });
});

describe('long searches', () => {
  const pattern = fc
    .array(fc.constantFrom('a', 'b'), { minLength: 1, maxLength: 6 })
    .map((letters) => letters.join(''));
  test('agree with JavaScript', () => {
    fc.assert(
      fc.property(pattern, pattern, fc.nat(9000), (unit, odd, at) => {
        // Long, with many near misses.
        const sought = unit.repeat(600).slice(0, 1500) + odd;
        const input = unit.repeat(9000).slice(0, at) + sought + unit.repeat(500);
        expect(findText(input, sought, 1)).toBe(input.indexOf(sought, 1));
        expect(findLastText(input, sought, input.length)).toBe(input.lastIndexOf(sought));
        expect(findLastText(input, sought, at)).toBe(input.lastIndexOf(sought, at));
      }),
      tries(100, 20261121),
    );
  });
});
