import { expect, it } from 'vitest';
import { fromByteString, quoteByteString, toByteString } from '../../../../src/go/strings/byte-string.ts';

it('encodes text in UTF-8 and decodes it again', () => {
  expect(toByteString('aé€😀')).toBe('a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80');
  expect(fromByteString(toByteString('aé€😀'))).toBe('aé€😀');
});

it('treats every invalid byte as one character', () => {
  for (const bytes of ['\xff', '\xc3', '\xc0\x80', '\xed\xa0\x80', '\xf4\x90\x80\x80', 'a\xe2\x82']) {
    expect(fromByteString(bytes)).toBe(bytes.replace(/[^a]/g, '\ufffd'));
  }
});

it('quotes like Go', () => {
  expect(quoteByteString('a"\xff\xc3\xa9\x07')).toBe('"a\\"\\xffé\\a"');
});
