// The parser, the choice of engine and the limits do not change the matches of a pattern.
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { expect, test } from 'vitest';
import { nativeMatcher } from '../../src/go/regexp/native.ts';
import { parsePattern } from '../../src/go/regexp/parser.ts';
import { compileRegex } from '../../src/go/regexp/regex.ts';
import { tries } from '../support/tries.ts';

const RUNS = tries(2000, 20261121);

const { pattern } = fc.letrec<{ pattern: string; piece: string }>((tie) => ({
  pattern: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.array(tie('piece'), { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map(([left, right]) => `${left}|${right}`),
    tie('pattern').map((body) => `^${body}$`),
  ),
  piece: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    { weight: 4, arbitrary: fc.constantFrom('a', 'b', ':', '-', '.', '\\.', 'é', '😀', '[^a]', '[a-c]', '\\d', '\\w') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('[^/]', '\\s', '\\S', '(?i)', '(?s)', '\\b', '^', '$', '\\pL', '[^😀]', '\\n'),
    },
    {
      weight: 3,
      arbitrary: fc
        .tuple(
          fc.constantFrom('a', 'b', '.', '[a-c]', '[^:]', '\\w', '[^😀]'),
          fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{2,}'),
        )
        .map(([character, repeat]) => character + repeat),
    },
    { weight: 2, arbitrary: tie('pattern').map((body) => `(${body})`) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '??', '{2}', '{0,2}'))
        .map(([body, repeat]) => `(?:${body})${repeat}`),
    },
  ),
}));

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', 'A', ':', '-', '.', '/', '1', ' ', '\n', 'é', '😀', '\u2028'), {
    maxLength: 14,
  })
  .map((characters) => characters.join(''));

test('matches, find and findAll agree with RE2', () => {
  fc.assert(
    fc.property(pattern, text, (source, input) => {
      const regex = compileRegex(source);
      const re2 = compileRe2(source);
      if ('error' in regex) throw new Error(regex.error);
      const matcher = re2.matcher(input);
      const first = matcher.find() ? (matcher.group() ?? '') : undefined;
      expect(regex.matches(input)).toBe(first !== undefined);
      expect(regex.find(input)).toBe(first);
      expect(regex.findAll(input, 1)).toEqual(first === undefined ? [] : [first]);
      expect(regex.findAll(input, -1).every((found) => input.includes(found))).toBe(true);
    }),
    RUNS,
  );
});

test('JavaScript runs many of the patterns, with the same results as RE2', () => {
  let native = 0;
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 3, maxLength: 3 }), (source, inputs) => {
      const parsed = parsePattern(source);
      if ('error' in parsed) throw new Error(parsed.error);
      const matcher = nativeMatcher(parsed.syntax);
      if (matcher === undefined) return;
      native++;
      const re2 = compileRe2(source);
      for (const input of inputs) expect(matcher.test(input)).toBe(re2.test(input));
    }),
    RUNS,
  );
  expect(native).toBeGreaterThan(RUNS.numRuns / 5);
});

test('patterns accept any text', () => {
  const pieces = [
    '[',
    ']',
    '(',
    ')',
    '(?',
    '\\',
    '\\p',
    '{',
    '}',
    ',',
    '1',
    '^',
    '-',
    '*',
    '?',
    '|',
    ':',
    'P<',
    '\\Q',
    'é',
  ];
  const strange = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(strange, fc.string({ unit: 'binary', maxLength: 12 })), (source) => {
      const regex = compileRegex(source);
      if ('error' in regex)
        expect(regex).toEqual({ error: expect.stringMatching(/^error parsing regexp: .+: `.*`$/s) });
      else expect(typeof regex.matches(source)).toBe('boolean');
    }),
    RUNS,
  );
});

function compileRe2(source: string): RE2JS {
  return RE2JS.compile(source);
}
