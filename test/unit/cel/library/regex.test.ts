// Patterns have the meaning and the errors of Go's regexp package.
import { describe, expect, it } from 'vitest';
import { WorkExceeded } from '../../../../src/go/meter.ts';
import { compileRegex, type Regex } from '../../../../src/go/regexp/regex.ts';
import { RegexCache } from '../../../../src/go/regexp/regex-cache.ts';

function compile(pattern: string): Regex {
  const compiled = compileRegex(pattern);
  if ('error' in compiled) throw new Error(compiled.error);
  return compiled;
}

describe('matches', () => {
  it.each([
    ['b', 'abc', true],
    ['^b', 'abc', false],
    ['^a.c$', 'a\nc', false],
    ['(?s)^a.c$', 'a\nc', true],
    ['^b$', 'a\nb\nc', false],
    ['(?m)^b$', 'a\nb\nc', true],
    ['a$', 'a\n', false],
    ['(?i)ß', 'ẞ', true],
    ['(?i)k', '\u212a', true],
    ['^.$', '😀', true],
    ['^[^a]$', '😀', true],
    ['^.$', '\u2028', true],
    ['^\\s$', '\u00a0', false],
    ['^\\w$', 'é', false],
    ['^\\pL$', 'é', true],
    ['^\\p{Greek}+$', 'αβγ', true],
    ['^\\p{letter}\\p{uppercase_letter}$', 'xX', true],
    ['^[[:alpha:]_]+$', 'ab_', true],
    ['\\Qa.b\\E', 'a.b', true],
    ['\\bfoo\\b', 'a foo b', true],
    ['^(?P<name>a)(?P<name>b)$', 'ab', true],
    ['[[:]', '[', true],
    ['\\x{1F600}', '😀', true],
    ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', 'my-name-1', true],
    ['^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', 'my-name-', false],
    ['', '', true],
    ['[^\\x00-\\x{10FFFF}]', 'a', false],
  ])('%s on %j is %s', (pattern, text, expected) => {
    expect(compile(pattern).matches(text)).toBe(expected);
  });
});

describe('find and findAll', () => {
  it.each([
    ['a|ab', 'xab', ['a']],
    ['(?:a|ab)(?:c|bcd)', 'abcd', ['abcd']],
    ['a*?', 'aa', ['', '', '']],
    ['a*', 'baaac', ['', 'aaa', '']],
    ['x?', '😀x', ['', 'x']],
    ['[^,]*', 'a,,b', ['a', '', 'b']],
    ['', 'é', ['', '']],
    ['\\d+', 'none', []],
  ])('%s in %j', (pattern, text, all) => {
    const regex = compile(pattern);
    expect(regex.findAll(text, -1)).toEqual(all);
    expect(regex.findAll(text, 1)).toEqual(all.slice(0, 1));
    expect(regex.findAll(text, 0)).toEqual([]);
    expect(regex.find(text)).toBe(all[0]);
  });
});

describe('errors', () => {
  it.each([
    ['[', 'missing closing ]: `[`'],
    ['[a', 'missing closing ]: `[a`'],
    ['(', 'missing closing ): `(`'],
    ['a)b', 'unexpected ): `a)b`'],
    ['*', 'missing argument to repetition operator: `*`'],
    ['a|+?', 'missing argument to repetition operator: `+?`'],
    ['a**', 'invalid nested repetition operator: `**`'],
    ['a{2}{3}', 'invalid nested repetition operator: `{2}{3}`'],
    ['a{1001}', 'invalid repeat count: `{1001}`'],
    ['a{2,1}', 'invalid repeat count: `{2,1}`'],
    ['(a{100}){11}', 'invalid repeat count: `{11}`'],
    ['[z-a]', 'invalid character class range: `z-a`'],
    ['[[:foo:]]', 'invalid character class range: `[:foo:]`'],
    ['\\p{Foo}', 'invalid character class range: `\\p{Foo}`'],
    ['\\p{Old_Italic}', 'invalid character class range: `\\p{Old_Italic}`'],
    ['\\1', 'invalid escape sequence: `\\1`'],
    ['\\x{110000}', 'invalid escape sequence: `\\x{110000`'],
    ['\\', 'trailing backslash at end of expression: ``'],
    ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['(?<=a)', 'invalid named capture: `(?<=a)`'],
    ['(?<n', 'invalid named capture: `(?<n`'],
    ['(?i-)', 'invalid or unsupported Perl syntax: `(?i-)`'],
    [
      `${'('.repeat(1001)}${')'.repeat(1001)}`,
      `expression nests too deeply: \`${'('.repeat(1001)}${')'.repeat(1001)}\``,
    ],
    ['(?P<é>a)', 'invalid named capture: `(?P<é>`'],
  ])('%s', (pattern, message) => {
    expect(compileRegex(pattern)).toEqual({ error: `error parsing regexp: ${message}` });
  });

  it.each([
    ['a long repetition', 'x{1000}'.repeat(200)],
    ['many properties', '\\pL'.repeat(5000)],
    ['many groups', `${'(?:a'.repeat(5000)}${')'.repeat(5000)}`],
    ['much to fold', `(?i)${'[B-\\x{1e000}]'.repeat(10)}`],
  ])('%s is valid, but too large for this implementation', (_, pattern) => {
    expect(new RegexCache().isValid(pattern)).toBe(true);
    expect(compileRegex(pattern)).toEqual({
      error: 'regular expression is too large to be evaluated',
      unsupported: true,
    });
  });
});

it.each([
  ['find', 'a[ab]{900}c|.*c|a', (regex: Regex) => regex.find(`${'ab'.repeat(100_000)}c`)],
  ['findAll', '.*c|a', (regex: Regex) => regex.findAll('a'.repeat(10_000), -1)],
  ['matches', '[ab]*a[ab]{900}cc', (regex: Regex) => regex.matches(`cc${'ab'.repeat(100_000)}`)],
])('%s stops a search that takes too long', (_, pattern, search) => {
  const regex = compileRegex(pattern, 2 ** 25);
  expect('error' in regex).toBe(false);
  expect(() => search(regex as Regex)).toThrow(WorkExceeded);
});

it('keeps a limited number of patterns', () => {
  const cache = new RegexCache(2);
  const first = cache.compile('a');
  expect(cache.compile('a')).toBe(first);
  cache.compile('b');
  cache.compile('c');
  expect(cache.compile('a')).not.toBe(first);
});
