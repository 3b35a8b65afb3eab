// Base64 as decoded by Go, with its errors.
import { expect, it } from 'vitest';
import { evaluateCel } from '../../../support/cel.ts';
import { ENCODERS } from '../../../support/cel-extensions/encoders.ts';

const settings = { libraries: [ENCODERS] };

it.each([
  ["b''", ''],
  ["b'a'", 'YQ=='],
  ["b'ab'", 'YWI='],
  ["b'abc'", 'YWJj'],
  ["b'\\377\\376\\375\\374'", '//79/A=='],
])('encodes %s', (bytes, text) => {
  expect(evaluateCel(`base64.encode(${bytes})`, settings).value).toBe(text);
  expect(evaluateCel(`base64.decode('${text}') == ${bytes}`, settings).value).toBe(true);
});

it.each(['aGVsbG8=', 'aGVsbG8', 'aGVs\\nbG8=', 'aGVs\\r\\nbG8', 'aGVsbG\\n8=\\n'])("decodes '%s'", (text) => {
  expect(evaluateCel(`string(base64.decode('${text}'))`, settings).value).toBe('hello');
});

it.each([
  ['a', 0],
  ['a===', 1],
  ['aGVsbG8==', 7],
  ['=', 0],
  ['aG=sbG8', 2],
  ['aGVs\\nb!', 6],
  ['aGVsé', 4],
  ['aGVsb===', 5],
  ['QQ=', 2],
  ['A=BC', 1],
  ['AAA=A', 3],
  ['AAAA====', 4],
])("rejects '%s'", (text, offset) => {
  expect(evaluateCel(`base64.decode('${text}')`, settings).error).toBe(`illegal base64 data at input byte ${offset}`);
});
