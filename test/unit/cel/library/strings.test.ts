// String functions count code points and have cel-go's errors; expectations were recorded from kube-apiserver 1.36.
import { describe, expect, it } from 'vitest';
import { STRINGS_0, STRINGS_2 } from '../../../../src/cel/library/strings.ts';
import { evaluateCel } from '../../../support/cel.ts';

const evaluate = (text: string) => {
  const { value, error } = evaluateCel(text, { libraries: [STRINGS_2] });
  return error === undefined ? value : { error };
};

describe('values', () => {
  it.each([
    [`'tacocat'.charAt(3)`, 'o'],
    [`'a😀b'.charAt(1)`, '😀'],
    [`'a😀b'.charAt(3)`, ''],
    [`'a😀b'.indexOf('b')`, 2n],
    [`'a😀b'.indexOf('')`, 0n],
    [`'abc'.indexOf('', -5)`, -5n],
    [`'abcabc'.indexOf('c', 3)`, 5n],
    [`'abc'.indexOf('a', 3)`, -1n],
    [`'abc'.indexOf('abcd')`, -1n],
    [`'a😀a😀'.lastIndexOf('😀')`, 3n],
    [`'abcabc'.lastIndexOf('c', 4)`, 2n],
    [`'abc'.lastIndexOf('c', 17)`, -1n],
    [`'abc'.lastIndexOf('', 17)`, 17n],
    [`''.lastIndexOf('a')`, -1n],
    [`'abcdef'.substring(4)`, 'ef'],
    [`'a😀bc'.substring(1, 3)`, '😀b'],
    [`'abc'.substring(3)`, ''],
    [`'a b c'.replace(' ', '')`, 'abc'],
    [`'aaa'.replace('a', 'b', 2)`, 'bba'],
    [`'aaa'.replace('a', 'b', 0)`, 'aaa'],
    [`'a😀'.replace('', '-')`, '-a-😀-'],
    [`'abc'.replace('', '-', 2)`, '-a-bc'],
    [`'a,b,c'.split(',')`, ['a', 'b', 'c']],
    [`'a,b,c'.split(',', 2)`, ['a', 'b,c']],
    [`'a,b'.split(',', 0)`, []],
    [`'a😀b'.split('')`, ['a', '😀', 'b']],
    [`'abc'.split('', 2)`, ['a', 'bc']],
    [`''.split('')`, []],
    [`''.split(',')`, ['']],
    [`['a', 'b'].join()`, 'ab'],
    [`['a', 'b'].join('-')`, 'a-b'],
    [`[].join('-')`, ''],
    [`'ÄbC'.lowerAscii()`, 'Äbc'],
    [`'äbC'.upperAscii()`, 'äBC'],
    [`' \\u0085\\u00a0a\\ufeff '.trim()`, 'a\ufeff'],
    [`strings.quote('a"\\n\\\\é\\u0000')`, '"a\\"\\n\\\\é\0"'],
  ])('%s', (text, value) => {
    expect(evaluate(text)).toEqual(value);
  });
});

describe('errors', () => {
  it.each([
    [`'abc'.charAt(4)`, 'index out of range: 4'],
    [`'abc'.charAt(-1)`, 'index out of range: -1'],
    [`'abc'.indexOf('b', -1)`, 'index out of range: -1'],
    [`'abc'.lastIndexOf('b', -1)`, 'index out of range: -1'],
    [`'abc'.substring(4)`, 'index out of range: 4'],
    [`'abc'.substring(2, 1)`, 'invalid substring range. start: 2, end: 1'],
    [`'abc'.substring(1, 4)`, 'index out of range: 4'],
    [`[dyn('a'), dyn(1)].join()`, 'join: invalid input: 1'],
    [`[dyn(1), dyn('a')].join()`, 'no such overload: join(list)'],
  ])('%s', (text, error) => {
    expect(evaluate(text)).toEqual({ error });
  });
});

it('has no format and no quote in version 0', () => {
  expect(evaluateCel(`'%d'.format([1])`, { libraries: [STRINGS_0] }).error).toBe(
    "undeclared reference to 'format' (in container '')",
  );
});

it.each([
  ['a text that could not be held', `'${'a'.repeat(20_000)}'.replace('a', '${'b'.repeat(20_000)}')`],
  ['a list that could not be held', `'${'a'.repeat(5000)}'.replace('a', '${'b'.repeat(5000)}').split('b')`],
])('stops before %s', (_, text) => {
  expect(evaluateCel(text, { libraries: [STRINGS_2] }).error).toMatch(/^evaluation stopped/);
});
