// Base64 as decoded by Go: accepted deviations, and errors.
import { describe, expect, test } from 'vitest';
import { canonicalBase64, encodeBase64Text } from '../../../../src/go/encoding/base64.ts';

describe('canonicalBase64', () => {
  test.each([
    ['', ''],
    ['YWJj', 'YWJj'],
    ['YWI=', 'YWI='],
    ['YQ==', 'YQ=='],
    ['YR==', 'YQ=='],
    ['YWJ=', 'YWI='],
    ['YW\r\nJj\n', 'YWJj'],
    ['YQ=\n=', 'YQ=='],
  ])('%j', (text, expected) => {
    expect(canonicalBase64(text)).toBe(expected);
  });

  test.each([
    ['*', 0],
    ['YW*j', 2],
    ['YWJ', 0],
    ['YWJjY', 4],
    ['YQ=', 3],
    ['YQ=x', 2],
    ['YQ==x', 4],
    ['=', 0],
    ['é', 0],
    ['YWJjé', 4],
  ])('%j is invalid at offset %i', (text, offset) => {
    expect(canonicalBase64(text)).toEqual({ error: `illegal base64 data at input byte ${offset}` });
  });
});

test.each([
  ['', ''],
  ['a', 'YQ=='],
  ['ab', 'YWI='],
  ['abc', 'YWJj'],
  ['é€', 'w6nigqw='],
])('encodes %j', (text, expected) => {
  expect(encodeBase64Text(text)).toBe(expected);
});
