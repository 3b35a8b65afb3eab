import { describe, expect, it } from 'vitest';
import { parseFieldSelector, parseLabelSelector } from '../../../../src/kubernetes/selector/selector-text.ts';

describe('parseLabelSelector', () => {
  it.each([
    ['', []],
    [
      'b,a',
      [
        ['a', 'exists'],
        ['b', 'exists'],
      ],
    ],
    ['!a', [['a', '!']]],
    ['a=b', [['a', '=', 'b']]],
    [
      'a==b,c!=d',
      [
        ['a', '==', 'b'],
        ['c', '!=', 'd'],
      ],
    ],
    ['a=', [['a', '=', '']]],
    ['x in (foo,,baz)', [['x', 'in', '', 'baz', 'foo']]],
    ['x notin ()', [['x', 'notin', '']]],
    ['in in (in, notin)', [['in', 'in', 'in', 'notin']]],
    ['a > 5', [['a', 'gt', '5']]],
    ['a<5', [['a', 'lt', '5']]],
  ])('%s', (text, requirements) => {
    const parsed = parseLabelSelector(text);
    expect('error' in parsed ? parsed : parsed.map(({ key, operator, values }) => [key, operator, ...values])).toEqual(
      requirements,
    );
  });

  it.each([
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a,', "found '', expected: identifier after ','"],
    ['=a', "found '=', expected: !, identifier, or 'end of string'"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    ['a in b', "unable to parse requirement: found 'b' expected: '('"],
    ['a in (b c)', "unable to parse requirement: found 'c', expected: ',' or ')'"],
  ])('refuses %s', (text, error) => {
    expect(parseLabelSelector(text)).toEqual({ error });
  });

  it('validates keys and values like labels', () => {
    expect(parseLabelSelector('a b/c')).toHaveProperty('error');
    expect(parseLabelSelector('-a=b')).toHaveProperty('error');
    expect(parseLabelSelector('a=_')).toHaveProperty('error');
    expect(parseLabelSelector('a>x')).toHaveProperty('error');
  });
});

describe('parseFieldSelector', () => {
  it.each([
    ['', []],
    [
      'b=2,a=1',
      [
        ['a', '=', '1'],
        ['b', '=', '2'],
      ],
    ],
    ['a!=1', [['a', '!=', '1']]],
    ['a==1', [['a', '=', '1']]],
    ['a=x\\,y\\=z\\\\', [['a', '=', 'x,y=z\\']]],
    ['=', []],
  ])('%s', (text, requirements) => {
    const parsed = parseFieldSelector(text);
    expect('error' in parsed ? parsed : parsed.map(({ key, operator, values }) => [key, operator, ...values])).toEqual(
      requirements,
    );
  });

  it.each([
    ['a', "invalid selector: 'a'; can't understand 'a'"],
    ['a=b=c', 'invalid field selector: unescaped character in value: 61'],
    ['a=\\b', 'invalid field selector: invalid escape sequence: \\b'],
    ['a=b\\', 'invalid field selector: invalid escape sequence: \\'],
  ])('refuses %s', (text, error) => {
    expect(parseFieldSelector(text)).toEqual({ error });
  });
});
