// Texts, bytes, paths and orders of Go's standard library, for the port `go`.
import {
  canonicalBase64,
  canonicalRawBase64,
  decodeUrlBase64,
  encodeBase64Text,
} from '../../../src/go/encoding/base64.ts';
import { Sha256 } from '../../../src/go/encoding/sha256.ts';
import { sortOrder } from '../../../src/go/slices/sort.ts';
import { goQuote, goQuoteBytes } from '../../../src/go/strconv/quote.ts';
import { fromByteString, quoteByteString, toByteString } from '../../../src/go/strings/byte-string.ts';
import { cleanPath } from '../../../src/go/strings/clean-path.ts';
import { shellPattern } from '../../../src/go/strings/path-match.ts';
import { codePointLength, compareStrings } from '../../../src/go/strings/string-order.ts';
import { trim, trimRight } from '../../../src/go/strings/trim.ts';
import { trimSpace } from '../../../src/go/strings/trim-space.ts';
import { textOfBytes } from '../../../src/policy/kyverno/jmespath/functions/byte-text.ts';
import type { Chance } from './chance.ts';
import type { GoFunction } from './go.ts';
import { answered, textFunction } from './go-answers.ts';
import * as texts from './texts.ts';

const SPACES = [
  '\t',
  '\n',
  '\v',
  '\f',
  '\r',
  ' ',
  '\u0085',
  '\u00a0',
  '\u1680',
  '\u2000',
  '\u200a',
  '\u200b',
  '\u2028',
  '\u2029',
  '\u202f',
  '\u205f',
  '\u3000',
  '\ufeff',
  '\u0008',
  '\u000e',
  '\u180e',
];
const CUTSETS = ['/', ' ', '0', '$()', `'"`, 'ab', ' \t', '', 'é', '/.'];
const PATHS = [
  '',
  '.',
  '/',
  '//',
  'a',
  '/a',
  'a/',
  '..',
  '../a',
  '/..',
  'a/..',
  'a/../..',
  './a',
  'a/./b',
  'a//b',
  '/a/b/../../..',
  '../../a',
  'a/b/../c',
  '...',
  'a/...',
  '日/..',
  '/.',
  './..',
];
const SHELL_PATTERNS = [
  '',
  '*',
  '?',
  'a*',
  '*a',
  'a*b*c',
  '[a]',
  '[a-c]',
  '[^a]',
  '[]a]',
  '[a',
  '[',
  '[a-',
  '[-a]',
  '[a-]',
  '[c-a]',
  '\\*',
  '\\',
  '[\\]]',
  '[\\-a]',
  '[^-a]',
  'a\\bc',
  '*/b',
  '**',
  '*?*',
  '[日-本]',
  '[^]',
  '[]',
  '?😀',
  'a[b-d]*',
  '[!a]',
];
const SUFFIXED = [
  '',
  'a',
  'ab',
  'abc',
  'a/b',
  'b',
  '-',
  ']',
  '*',
  '\\',
  '日',
  '😀',
  'a😀',
  'abbc',
  'aXbYc',
  '/',
  '^',
  'bc',
  'ac',
  '!',
];

export function text(chance: Chance): readonly [string] {
  return [chance.text(texts.TEXTS)];
}

/** One character per byte; often not UTF-8. */
export function byteText(chance: Chance): string {
  const bytes = [...toByteString(chance.text(texts.TEXTS))];
  for (const _ of chance.several(0, 2, () => 0))
    bytes.splice(chance.below(bytes.length + 1), chance.below(2), byte(chance));
  return bytes.join('');
}

/** Often at the bounds of UTF-8's lead and trail bytes. */
function byte(chance: Chance): string {
  const bounds = [
    0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff,
  ];
  return String.fromCharCode(chance.in(60) ? chance.pick(bounds) : chance.below(256));
}

function spaced(chance: Chance): readonly [string] {
  const space = (): string => chance.several(0, 3, () => chance.pick(SPACES)).join('');
  return [space() + chance.text(texts.TEXTS) + space()];
}

function cut(chance: Chance): readonly [string, string] {
  const cutset = chance.pick(CUTSETS);
  const around = (): string => chance.several(0, 3, () => chance.pick([...cutset, 'x'])).join('');
  return [around() + chance.text(texts.TEXTS) + around(), cutset];
}

function twoTexts(chance: Chance): readonly [string, string] {
  const first = chance.text(texts.TEXTS);
  return [first, chance.in(40) ? first + chance.text(texts.TEXTS) : chance.text(texts.TEXTS)];
}

function base64(chance: Chance): readonly [string] {
  const encoded = chance.in(50) ? encodeBase64Text(chance.text(texts.TEXTS)) : chance.text(texts.BASE64);
  const changed = chance.in(30) ? chance.text([encoded]) : encoded;
  if (chance.in(20)) return [changed.replaceAll('+', '-').replaceAll('/', '_')];
  return [chance.in(30) ? changed.replace(/=+$/, '') : changed];
}

export const TEXT: readonly GoFunction[] = [
  textFunction('strconv.Quote', text, goQuote),
  textFunction('strconv.Quote bytes', (chance) => [byteText(chance)], quoteBytes),
  textFunction('string bytes', (chance) => [byteText(chance)], fromByteString),
  textFunction('[]byte', text, toByteString),
  textFunction('strings.TrimSpace', spaced, trimSpace),
  textFunction('strings.Trim', cut, trim),
  textFunction('strings.TrimRight', cut, trimRight),
  textFunction('strings.Compare', twoTexts, compareStrings),
  textFunction('utf8.RuneCountInString', text, codePointLength),
  textFunction(
    'path.Match',
    (chance) => [chance.text(SHELL_PATTERNS), chance.text(SUFFIXED)],
    (pattern, name) => {
      const matches = shellPattern(pattern, { slash: 'kept' });
      return matches === undefined ? { error: 'syntax error in pattern' } : matches(name);
    },
  ),
  textFunction('path.Clean', (chance) => [chance.several(1, 2, () => chance.text(PATHS)).join('/')], cleanPath),
  textFunction('StdEncoding.DecodeString', base64, canonicalBase64),
  textFunction('RawStdEncoding.DecodeString', base64, canonicalRawBase64),
  textFunction('URLEncoding.DecodeString', base64, (encoded) => {
    const decoded = decodeUrlBase64(encoded);
    return 'error' in decoded ? decoded : Buffer.from(decoded).toString('hex');
  }),
  textFunction('StdEncoding.EncodeToString', text, encodeBase64Text),
  {
    name: 'sha256.Sum256',
    generate: (chance) => [chance.several(0, 4, () => chance.text(texts.TEXTS).repeat(chance.pick([1, 1, 2, 7, 60])))],
    answer: ([written]) => {
      const digest = new Sha256();
      for (const each of written as readonly string[]) digest.update(each);
      return answered(digest.digest());
    },
  },
  {
    name: 'sort.Slice',
    generate: (chance) => [keys(chance)],
    answer: ([written]) => {
      const numbers = written as readonly number[];
      return answered(sortOrder(numbers.length, (a, b) => (numbers[a] as number) < (numbers[b] as number)));
    },
  },
];

/** Both ways to quote bytes must agree. */
function quoteBytes(bytes: string): string {
  const quoted = quoteByteString(bytes);
  const ofFile = goQuoteBytes(textOfBytes(bytes));
  return quoted === ofFile ? quoted : `${quoted} or ${ofFile}`;
}

/** Numbers in an order for each branch of the sorting algorithm. */
function keys(chance: Chance): readonly number[] {
  const length = chance.pick([chance.below(14), 12 + chance.below(40), 50 + chance.below(120)]);
  const distinct = chance.pick([1, 2, 3, 8, 1000]);
  const ordered = Array.from({ length }, (_, index) => index);
  switch (chance.below(6)) {
    case 0:
      return swapped(chance, ordered);
    case 1:
      return swapped(chance, ordered.toReversed());
    case 2:
      return ordered.map((index) => Math.min(index, length - index));
    case 3:
      return adversary(length);
    default:
      return ordered.map(() => chance.below(distinct));
  }
}

function swapped(chance: Chance, numbers: number[]): readonly number[] {
  for (const _ of chance.several(0, 3, () => 0)) {
    if (numbers.length > 0) numbers[chance.below(numbers.length)] = chance.below(numbers.length);
  }
  return numbers;
}

/** McIlroy's adversary: decides the order while it is sorted, so that the sort needs the most comparisons. */
function adversary(length: number): readonly number[] {
  const gas = length;
  const values = new Array<number>(length).fill(gas);
  let solid = 0;
  let candidate = 0;
  sortOrder(length, (a, b) => {
    if (values[a] === gas && values[b] === gas) values[a === candidate ? a : b] = solid++;
    if (values[a] === gas) candidate = a;
    else if (values[b] === gas) candidate = b;
    return (values[a] as number) < (values[b] as number);
  });
  return values;
}
