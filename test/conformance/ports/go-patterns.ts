// Regular expressions and character properties of Go, for the port `go`.

import { parsePattern } from '../../../src/go/regexp/parser.ts';
import { compileRegex, type Regex } from '../../../src/go/regexp/regex.ts';
import { CATEGORY_ALIASES, CATEGORY_NAMES, SCRIPT_NAMES } from '../../../src/go/unicode/tables.generated.ts';
import { isPrintable, propertyName } from '../../../src/go/unicode/unicode.ts';
import type { Chance } from './chance.ts';
import type { GoFunction } from './go.ts';
import { answered } from './go-answers.ts';
import type { Answer, Arguments } from './port.ts';
import * as texts from './texts.ts';

const PROPERTIES = [
  ...new Set([
    ...CATEGORY_NAMES,
    ...SCRIPT_NAMES,
    ...Object.keys(CATEGORY_ALIASES),
    'Any',
    'Ascii',
    'Assigned',
    'Cn',
    'LC',
    ...CATEGORY_NAMES.map((name) => name.charAt(0)),
  ]),
];
const CLASSES = [
  'alnum',
  'alpha',
  'ascii',
  'blank',
  'cntrl',
  'digit',
  'graph',
  'lower',
  'print',
  'punct',
  'space',
  'upper',
  'word',
  'xdigit',
];
const LETTERS = [
  'a',
  'b',
  'c',
  'A',
  'K',
  'k',
  's',
  '0',
  '9',
  '_',
  '-',
  ' ',
  '\n',
  'é',
  'ß',
  'ſ',
  'K',
  'σ',
  'ς',
  '日',
  '😀',
  '\u0000',
  '\u{10ffff}',
];
const ATOMS = [
  ...[
    '.',
    '^',
    '$',
    '\\b',
    '\\B',
    '\\A',
    '\\z',
    '\\d',
    '\\D',
    '\\s',
    '\\S',
    '\\w',
    '\\W',
    '\\.',
    '\\n',
    '\\t',
    '\\v',
    '\\a',
    '\\f',
    '\\r',
  ],
  ...[
    '\\x41',
    '\\x{1F600}',
    '\\101',
    '\\0',
    '\\07',
    '\\Qa.b\\E',
    '\\Q*',
    '\\pL',
    '\\PL',
    '\\p{Greek}',
    '\\P{^Lu}',
    '\\p{^Lu}',
    '\\pN',
    '\\C',
  ],
];
const REPEATS = [
  '*',
  '+',
  '?',
  '*?',
  '+?',
  '??',
  '{0}',
  '{1}',
  '{2}',
  '{0,1}',
  '{1,3}',
  '{2,}',
  '{2,3}?',
  '{,2}',
  '{3,2}',
  '{1000}',
  '{1001}',
  '{',
  '**',
];
const GROUPS = [
  '(',
  '(?:',
  '(?P<n>',
  '(?<n>',
  '(?i)(',
  '(?i:',
  '(?s:',
  '(?m:',
  '(?U:',
  '(?i-s:',
  '(?-i:',
  '(?P<m>',
  '(?P<1n>',
  '(?<>',
  '(?=',
  '(?<',
];

/** A pattern of random parts, or a text of the list. */
function pattern(chance: Chance): string {
  return chance.in(25) ? chance.text(texts.PATTERNS) : expression(chance, 3);
}

function expression(chance: Chance, depth: number): string {
  return chance
    .several(1, chance.in(20) ? 3 : 1, () => chance.several(0, 3, () => repeated(chance, depth)).join(''))
    .join('|');
}

function repeated(chance: Chance, depth: number): string {
  const body = atom(chance, depth);
  return chance.in(35) ? body + chance.pick(REPEATS.slice(0, chance.in(80) ? 8 : REPEATS.length)) : body;
}

function atom(chance: Chance, depth: number): string {
  if (depth > 0 && chance.in(30)) {
    return `${chance.pick(GROUPS.slice(0, chance.in(85) ? 6 : GROUPS.length))}${expression(chance, depth - 1)}${chance.in(3) ? '' : ')'}`;
  }
  if (chance.in(30)) return bracketed(chance);
  if (chance.in(30)) return chance.pick(ATOMS);
  return chance.pick(chance.in(60) ? LETTERS.slice(0, 4) : LETTERS);
}

function bracketed(chance: Chance): string {
  const items = chance.several(1, 3, () => {
    const kind = chance.below(8);
    if (kind === 0) return `[:${chance.in(20) ? '^' : ''}${chance.in(5) ? 'foo' : chance.pick(CLASSES)}:]`;
    if (kind === 1)
      return chance.pick([
        '\\d',
        '\\W',
        '\\pL',
        '\\P{Lu}',
        '\\s',
        '\\x{41}',
        '\\-',
        '\\]',
        '\\b',
        '\\n',
        '\\Q',
        '\\p{^Any}',
      ]);
    if (kind === 2) return chance.pick(['-', '^', '[', '[:', '&', '&&', '|', '.']);
    if (kind < 5) return `${chance.pick(LETTERS)}-${chance.pick(LETTERS)}`;
    return chance.pick(LETTERS);
  });
  return `[${chance.in(30) ? '^' : ''}${items.join('')}${chance.in(2) ? '' : ']'}`;
}

/** Often letters of the patterns. */
function subject(chance: Chance): string {
  if (chance.in(40)) return chance.text(texts.TEXTS);
  return chance.several(0, 8, () => chance.pick(chance.in(60) ? LETTERS.slice(0, 4) : LETTERS)).join('');
}

function matching(name: string, answer: (regex: Regex, text: string, limit: number) => unknown): GoFunction {
  return {
    name,
    generate: (chance) => [pattern(chance), subject(chance), chance.pick([-1, -1, 0, 1, 2, 5])],
    answer: ([written, text, limit]: Arguments): Answer => {
      const regex = compileRegex(String(written));
      if (!('error' in regex)) return { value: answer(regex, String(text), Number(limit)) };
      return regex.unsupported === true ? { undecided: regex.error } : { error: regex.error };
    },
  };
}

export const REGULAR_EXPRESSIONS: readonly GoFunction[] = [
  matching('regexp.Compile', (regex) => regex.groupCount),
  matching('Regexp.MatchString', (regex, text) => regex.matches(text)),
  matching('Regexp.FindString', (regex, text) => regex.find(text) ?? null),
  matching('Regexp.FindAllString', (regex, text, limit) => regex.findAll(text, limit)),
  matching('Regexp.ReplaceAllString', (regex, text) =>
    regex.replaceAll(text, ({ group }) => `<${[0, 1, 2, 'n'].map((each) => group(each) ?? '').join('|')}>`),
  ),
  {
    name: 'syntax.CharClass',
    generate: (chance) => [characterClass(chance)],
    answer: ([written]) => {
      const parsed = parsePattern(String(written));
      if ('error' in parsed) return { error: parsed.error };
      const { syntax } = parsed;
      return { value: syntax.kind === 'character' && syntax.ranges !== undefined ? rangesDigest(syntax.ranges) : null };
    },
  },
  {
    name: 'unicode.IsPrint',
    generate: (chance) => [codePoint(chance)],
    answer: ([character]) => answered(isPrintable(Number(character))),
  },
];

function characterClass(chance: Chance): string {
  if (chance.in(40)) return bracketed(chance);
  const name = chance.in(90) ? chance.pick(PROPERTIES) : chance.text(PROPERTIES).replaceAll(/[}^]/g, '');
  const written = chance.in(20) ? name.toUpperCase() : chance.in(20) ? name.replaceAll('_', '-').toLowerCase() : name;
  const property = `\\${chance.in(30) ? 'P' : 'p'}{${chance.in(10) ? '^' : ''}${written}}`;
  return chance.in(30) ? `[${property}]` : property;
}

/** Near the bounds of planes and of UTF-8's and UTF-16's lengths, too. */
function codePoint(chance: Chance): number {
  const near = chance.pick([
    0, 0x20, 0x7f, 0xa0, 0xad, 0x800, 0x2028, 0xd800, 0xe000, 0xfeff, 0xfffd, 0x10000, 0x1f600, 0xe0000, 0x10ffff,
  ]);
  const code = chance.in(30) ? near - 2 + chance.below(5) : chance.below(chance.in(70) ? 0x3000 : 0x110000);
  return Math.max(0, Math.min(0x10ffff, code));
}

/** As the Go program digests ranges. */
function rangesDigest(ranges: readonly number[]): readonly number[] {
  let sum = 0;
  let mixed = 0;
  for (const [index, bound] of ranges.entries()) {
    sum += bound;
    mixed = (mixed * 31 + bound * (index + 1)) % 1_000_003;
  }
  return [ranges.length / 2, sum, mixed];
}

/** The names that `\p` accepts, without case, hyphens and underscores, which Go ignores. */
export function characterProperties(): readonly string[] {
  const accepted = PROPERTIES.filter((name) => propertyName(name) !== undefined);
  return [...new Set(accepted.map((name) => name.replaceAll(/[_-]/g, '').toLowerCase()))];
}
