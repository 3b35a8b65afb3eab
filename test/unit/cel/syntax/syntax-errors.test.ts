// Errors of invalid expressions: messages and locations of ANTLR and cel-go.
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS, type ParserLimits } from '../../../../src/cel/syntax/limits.ts';
import { macroTable } from '../../../../src/cel/syntax/macro-table.ts';
import { OPTIONAL_MACROS } from '../../../../src/cel/syntax/optional-macros.ts';
import { parse } from '../../../../src/cel/syntax/parser.ts';
import { STANDARD_MACROS } from '../../../../src/cel/syntax/standard-macros.ts';

const MACROS = macroTable([...STANDARD_MACROS, ...OPTIONAL_MACROS]);
const OPERAND =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

function problems(text: string, options: { limits?: ParserLimits; optionalSyntax?: boolean } = {}): string[] {
  const { limits = DEFAULT_LIMITS, optionalSyntax = true } = options;
  const { ast, issues } = parse(text, { macros: MACROS, optionalSyntax, escapedIdentifiers: false, limits });
  expect(ast === undefined).toBe(issues.length > 0);
  return issues.map(({ offset, message }) => `${offset}: ${message.replace(OPERAND, '<operand>')}`);
}

describe('recovery', () => {
  it.each([
    ['', ["-1: Syntax error: mismatched input '<EOF>' expecting <operand>"]],
    ['1 +', ["3: Syntax error: mismatched input '<EOF>' expecting <operand>"]],
    ['a b', ["2: Syntax error: extraneous input 'b' expecting <EOF>"]],
    ['a b c', ["2: Syntax error: mismatched input 'b' expecting <EOF>"]],
    ['(a', ["2: Syntax error: missing ')' at '<EOF>'"]],
    ['* a', ["0: Syntax error: extraneous input '*' expecting <operand>"]],
    ['a ? b', ["5: Syntax error: mismatched input '<EOF>' expecting ':'"]],
    ['{a}', ["2: Syntax error: mismatched input '}' expecting ':'"]],
    ['a.', ["2: Syntax error: no viable alternative at input '.'"]],
    ['a.\t1', ["3: Syntax error: no viable alternative at input '.\\t1'"]],
    ['a.true', ["2: Syntax error: mismatched input 'true' expecting IDENTIFIER"]],
    ['[1,,2]', ["3: Syntax error: mismatched input ',' expecting ']'"]],
  ])('%s', (text, expected) => {
    expect(problems(text)).toEqual(expected);
  });
});

describe('tokens', () => {
  it.each([
    [
      'a & b',
      ["2: Syntax error: token recognition error at: '& '", "4: Syntax error: extraneous input 'b' expecting <EOF>"],
    ],
    ['a $', ["2: Syntax error: token recognition error at: '$'"]],
    ['a 😀', ["2: Syntax error: token recognition error at: '😀'"]],
    [
      '"a',
      [
        "0: Syntax error: token recognition error at: '\"a'",
        "2: Syntax error: mismatched input '<EOF>' expecting <operand>",
      ],
    ],
    ["r'a", ["1: Syntax error: token recognition error at: ''a'"]],
    [
      String.raw`'\z' + a`,
      [
        String.raw`0: Syntax error: token recognition error at: ''\z'`,
        "3: Syntax error: token recognition error at: '' + a'",
        "8: Syntax error: mismatched input '<EOF>' expecting <operand>",
      ],
    ],
  ])('%s', (text, expected) => {
    expect(problems(text)).toEqual(expected);
  });
});

describe('meaning', () => {
  it.each([
    ['as + 1', ['0: reserved identifier: as']],
    ['package()', ['0: reserved identifier: package']],
    ['9223372036854775808', ['0: invalid int literal']],
    ['18446744073709551616u', ['0: invalid uint literal']],
    ['-1e999', ['0: invalid double literal']],
    [String.raw`'\ud800'`, ['0: invalid unicode code point']],
    [String.raw`b'\u0041'`, ['0: unable to unescape string']],
    ['a.`b`', ["2: unsupported syntax: '`'"]],
    ['has(a)', ['4: invalid argument to has() macro']],
    ['a.all(b.c, true)', ['7: argument must be a simple name']],
    ['a.map(1, true)', ['6: argument is not an identifier']],
    ['a.filter(__result__, true)', ['9: iteration variable overwrites accumulator variable']],
    ['a.optMap(1, b)', ['9: optMap() variable name must be a simple identifier']],
    ['[1, as] + ', ["10: Syntax error: mismatched input '<EOF>' expecting <operand>", '4: reserved identifier: as']],
  ])('%s', (text, expected) => {
    expect(problems(text)).toEqual(expected);
  });

  it('accepts the optional syntax only if it is enabled', () => {
    expect(problems('a.?b[?c] + [?d] == {?e: f}', { optionalSyntax: false })).toEqual([
      "1: unsupported syntax '.?'",
      "4: unsupported syntax '[?'",
      "12: unsupported syntax '?'",
      "20: unsupported syntax '?'",
    ]);
    expect(problems('a.?b[?c] + [?d] == {?e: f}')).toEqual([]);
  });
});

describe('limits', () => {
  it.each([
    ['deep parentheses', `${'('.repeat(251)}1${')'.repeat(251)}`, 'expression recursion limit exceeded: 250'],
    ['deep lists', '['.repeat(100_000), 'expression recursion limit exceeded: 250'],
    ['many members', `a${'.b'.repeat(251)}`, 'max recursion depth exceeded'],
    ['many terms', `1${'+1'.repeat(251)}`, 'max recursion depth exceeded'],
    ['long text', 'a'.repeat(100_001), 'expression code point size exceeds limit: size: 100001, limit 100000'],
  ])('%s', (_, text, message) => {
    expect(problems(text)).toEqual([`-2: ${message}`]);
  });

  it('stops reporting after a hundred errors', () => {
    const found = problems('@'.repeat(200));
    expect(found).toHaveLength(101);
    expect(found.at(-1)).toBe('100: Syntax error: More than 100 syntax errors');
  });

  it('stops recovering', () => {
    expect(problems(') '.repeat(40)).length).toBeLessThan(40);
    const limits = { ...DEFAULT_LIMITS, recoveries: 1 };
    expect(problems('{a} + {b}', { limits })).toEqual([
      "2: Syntax error: mismatched input '}' expecting ':'",
      '2: Syntax error: error recovery attempt limit exceeded: 1',
    ]);
    expect(problems(`1 ${'1 '.repeat(300)}`)).toEqual([
      "2: Syntax error: mismatched input '1' expecting <EOF>",
      '-2: error recovery token lookahead limit exceeded: 256',
    ]);
  });

  it('accepts expressions at the limit', () => {
    expect(problems(`${'('.repeat(249)}1${')'.repeat(249)}`)).toEqual([]);
    expect(problems(`a${'.b'.repeat(250)}`)).toEqual([]);
    expect(problems(`true${' && true'.repeat(5_000)}`)).toEqual([]);
  });

  it('limits the copies made by macros', () => {
    expect(problems(`a${'.optMap(x, x)'.repeat(60)}`)).toEqual([
      '34: expression is too large once its macros are expanded',
    ]);
  });
});
