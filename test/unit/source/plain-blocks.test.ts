// The fast path for plain blocks agrees with the full YAML reader, or leaves the text to it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { composeAnyYaml } from '../../../src/source/yaml/compose.ts';
import { decodeYaml } from '../../../src/source/yaml/decode.ts';
import { readPlainBlocks } from '../../../src/source/yaml/plain-blocks.ts';
import { PLAIN_NODES, PLAIN_VALUES } from '../../../src/source/yaml/plain-product.ts';
import { tries } from '../../support/tries.ts';

function plain(text: string): unknown {
  return readPlainBlocks(text, `${text}\0`, true, PLAIN_NODES)?.root;
}

/** False if there is nothing to compare, because the text is left to the full reader. */
function expectSameValue(text: string): boolean {
  const read = readPlainBlocks(text, `${text}\0`, false, PLAIN_VALUES);
  if (read === undefined) return false;
  const composed = composeAnyYaml(text, false);
  const root = 'problem' in composed ? undefined : composed.root;
  const { start, end, depth } = read;
  const whole = { value: read.root, duplicates: [], isSuspicious: false, hasBadBytes: false, depth };
  expect({ ...whole, start, end }).toEqual({ ...decodeYaml(root, false), start: root?.start, end: root?.end });
  return true;
}

const READ: readonly string[] = [
  'a: b\n',
  'a:\n  b: [c, "d", {e: f}]\n  g: {}\n',
  'a:\n- b\n- c: d\n  e: f\n-\nh: i',
  '# comment\na: "b" # comment\nc: |\n  text\n   more\n\nd: >-\n  folded\n  text\n',
  'a: \'it\'\'s\'\nb: "x\\ty"\n"c" : d\n',
  'a: one\n  two\n  three\nb: http://x/y#z\n',
  '- - a\n  - b\n- c:\n- "d\n  e"\n',
  'a:\nb:\n  # nothing\nc: {d: [e,\n  f]}\n',
  'é: ü\n"ключ": значение\n',
];

test.each(READ)('%j is read', (text) => {
  expect(plain(text)).toBeDefined();
  expect({ root: plain(text), rest: undefined }).toEqual(composeAnyYaml(text, true));
  expect(expectSameValue(text)).toBe(true);
});

const LEFT: readonly string[] = [
  '',
  'a',
  '{a: b}',
  'a: &x b',
  'a: *x',
  'a: !!str b',
  '? a\n: b',
  'a:\tb',
  'a: b\r\n',
  '---\na: b',
  'a: b\n---\nc: d',
  'a: b: c',
  'a: - b',
  'a: b\n  c: d',
  'a:\n    b: c\n  d: e',
  'a: "b" c',
  'a: b\n- c',
  '- a\nb: c',
  'a: {b}',
  'a: [b?]',
  `${'k'.repeat(1100)}: v`,
  `${'- '.repeat(300)}a`,
  'a: \ud83d\ude00',
];

test.each(LEFT)('%j is left to the full reader', (text) => {
  expect(plain(text)).toBeUndefined();
});

const PIECES = [
  'a',
  'b: ',
  'c:',
  '- ',
  ': ',
  '\n',
  '\n  ',
  '\n    ',
  ' ',
  '"x"',
  "'y'",
  '"',
  '{',
  '}',
  '[',
  ']',
  ', ',
  ' # c',
];
const WORDS = [
  '#',
  '|\n   t\n',
  '>\n t\n',
  '&a ',
  '*a',
  '!t ',
  '? ',
  '---\n',
  'k: v\n',
  'l:\n- a\n',
  'm:\n  n: o\n',
  '-x',
  ':x',
  '1',
  '-0x1_0: ',
  '1.0',
  '1e400: ',
  '18446744073709551615',
  '.nan',
  'yes',
  '~: ',
  '<<: ',
];

test('the fast path agrees with the full reader, or reads nothing', () => {
  const texts = fc.array(fc.constantFrom(...PIECES, ...WORDS), { minLength: 1, maxLength: 14 });
  const property = fc.property(texts, (parts) => {
    const text = parts.join('');
    const root = plain(text);
    if (root !== undefined) expect({ root, rest: undefined }).toEqual(composeAnyYaml(text, true));
    if (expectSameValue(text)) expect(root).toBeDefined();
  });
  fc.assert(property, tries(3000, 20261122, 3000));
});
