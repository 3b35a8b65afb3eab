// JSON in pieces equals JSON.stringify, apart from escapes, for any value and any split.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonPieces, jsonText } from '../../../../src/report/json/json-text.ts';
import { hostileText } from '../../../support/hostile-text.ts';
import { tries } from '../../../support/tries.ts';

const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    hostileText,
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    fc.array(tie('value'), { maxLength: 40 }),
    fc.dictionary(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('2', '10', 'place')), tie('value')),
  ),
})).value;

/** The reference result, as one text. */
function plainly(value: unknown): string {
  const text = JSON.stringify(
    value,
    (_key, item: unknown) => (typeof item === 'string' ? item.replace(/\p{Surrogate}/gu, '\ufffd') : item),
    2,
  );
  return `${text.replace(
    /##\[|[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/g,
    (match) => (match === '##[' ? '#\\u0023[' : `\\u${match.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )}\n`;
}

describe('jsonPieces', () => {
  test('equal the output of JSON.stringify', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(jsonText({ value })).toBe(plainly({ value }));
      }),
      tries(300, 71),
    );
  });

  test('serialize shared values equally', () => {
    fc.assert(
      fc.property(fc.array(fc.object(), { minLength: 1 }), fc.array(fc.nat()), (objects, picks) => {
        const items = picks.map((pick) => ({ place: objects[pick % objects.length], deeper: [{ place: objects[0] }] }));
        const pieces = [...jsonPieces({ items }, { recurring: new Set(['place']) })];
        expect(pieces.join('')).toBe(plainly({ items }));
      }),
      tries(200, 72),
    );
  });

  test('write keys in the given order', () => {
    const pieces = jsonPieces({ b: 1, a: { d: 1, c: 2 } }, { order: (keys) => [...keys].sort() });
    expect([...pieces].join('')).toBe('{\n  "a": {\n    "c": 2,\n    "d": 1\n  },\n  "b": 1\n}\n');
  });

  test('create list items on demand and keep little in memory', () => {
    let made = 0;
    function* items(): Generator<unknown> {
      for (; made < 10_000; made++) yield { text: '\u{1f600}'.repeat(100) };
    }
    const lengths: number[] = [];
    for (const piece of jsonPieces({ items: items() })) {
      lengths.push(piece.length);
      expect(made * 200).toBeLessThanOrEqual(lengths.reduce((sum, length) => sum + length) + 1_000);
      expect(piece).not.toMatch(/\p{Surrogate}/u);
    }
    expect(made).toBe(10_000);
    expect(Math.max(...lengths)).toBeLessThan(70_000);
  });
});
