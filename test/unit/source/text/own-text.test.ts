// Copies equal the original text. Their memory use cannot be tested from inside.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ownText } from '../../../../src/source/text/own-text.ts';
import { keptText } from '../../../../src/source/yaml/recurring-text.ts';

test('a copy equals its original', () => {
  const half = fc.integer({ min: 0xd800, max: 0xdfff }).map((code) => String.fromCharCode(code));
  const text = fc.array(fc.oneof(fc.string({ unit: 'binary' }), half)).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.nat(20), (whole, start) => {
      const part = whole.slice(start);
      expect([ownText(part), keptText(part), keptText(part)]).toEqual([part, part, part]);
    }),
  );
});
