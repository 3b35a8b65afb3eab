// Go's quoting of text, including bytes that are not UTF-8.
import { describe, expect, it } from 'vitest';
import { goQuote, goQuoteBytes } from '../../../src/go/strconv/quote.ts';

describe.each([
  ['goQuote', goQuote],
  ['goQuoteBytes', goQuoteBytes],
])('%s', (_, quote) => {
  it.each([
    ['plain', '"plain"'],
    ['"\\\n\t\u0007', '"\\"\\\\\\n\\t\\a"'],
    ['\u0000\u007f', '"\\x00\\x7f"'],
    ['é\u200b\u{e0001}🐱', '"é\\u200b\\U000e0001🐱"'],
    ['\u00a0\ufeff\ufffd', '"\\u00a0\\ufeff\ufffd"'],
  ])('quotes %j as %s', (text, quoted) => {
    expect(quote(text)).toBe(quoted);
  });
});

describe('lone surrogates', () => {
  it('become the replacement character in CEL', () => {
    expect(goQuote('\udcff\ud800')).toBe('"\ufffd\ufffd"');
  });

  it('are written as bytes in text that was read', () => {
    expect(goQuoteBytes('a\udcff\udc80')).toBe('"a\\xff\\x80"');
  });
});
