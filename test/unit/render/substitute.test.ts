// Variable substitution like envsubst; expressions with unknown variables stay unchanged.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { substitute } from '../../../src/render/flux/substitute.ts';

const VALUES = new Map<string, string | undefined>([
  ['town', 'Lübeck'],
  ['path', 'a/b/c.tar.gz'],
  ['none', ''],
  ['secret', undefined],
]);
const VARIABLES = { valueOf: (name: string) => (VALUES.has(name) ? VALUES.get(name) : '') };

describe('substitute', () => {
  test.each([
    ['${town}', 'Lübeck'],
    ['in ${town}, $town and $1', 'in Lübeck, $town and $1'],
    ['$${town} $$ $$${town}', '${town} $ $Lübeck'],
    ['[${other}]', '[]'],
    ['${other:-a}${other:=b}${other=c}${none:?d}${none:+e}', 'abcde'],
    ['${other:=${none:-${town}}!}', 'Lübeck!'],
    ['${#town}', '7'],
    ['${town^^}${town,,}${town,}', 'LÜBECKlübecklübeck'],
    ['${path:2}|${path:0:3}|${path:-2}|${path:2:-7}|${path:x}', 'b/c.tar.gz|a/b|a/b/c.tar.gz|b/c|a/b/c.tar.gz'],
    ['${path#*/}|${path##*/}|${path%.*}|${path%%.*}', 'b/c.tar.gz|c.tar.gz|a/b/c.tar|a/b/c'],
    [
      '${path/\\//-}|${path//\\//-}|${path/#a/z}|${path/%gz/xz}|${path//b/}',
      'a-b/c.tar.gz|a-b-c.tar.gz|z/b/c.tar.gz|a/b/c.tar.xz|a//c.tar.gz',
    ],
  ])('replaces %s', (text, expected) => {
    expect(substitute(text, VARIABLES)).toEqual({ text: expected });
  });

  test.each([
    ['${secret}'],
    ['${secret:=default}'],
    ['x ${secret//a/b} ${#secret} ${secret%.*}'],
    ['${path/a/${secret}}'],
  ])('keeps %s, whose value only the cluster has', (text) => {
    expect(substitute(text, VARIABLES)).toEqual({ text });
  });

  test('uses a known value even if the default is unknown', () => {
    expect(substitute('${town:-${secret}}${other:-${secret}}', VARIABLES)).toEqual({ text: 'Lübeck${secret}' });
  });

  test.each([
    ['${}', 'unable to parse variable name'],
    ['${a', 'missing closing brace'],
    ['${a-b}', 'missing closing brace'],
    ['${a[@]}', 'missing closing brace'],
    ['${a:=b', 'unable to parse substitution within function'],
    ['${a^^^}', 'bad substitution'],
    ['${a/b}', 'bad substitution'],
  ])('rejects %s', (text, problem) => {
    expect(substitute(text, VARIABLES)).toEqual({ failure: `variable substitution failed: ${problem}` });
  });

  test('limits the work', () => {
    const long = { valueOf: () => 'x'.repeat(100_000) };
    const tooMuch = { failure: 'variable substitution failed: it exceeds the work limit of a check' };
    expect(substitute('${a}'.repeat(10_000), long)).toEqual(tooMuch);
    expect(substitute('${a%%*y}', long)).toEqual(tooMuch);
    expect(substitute('${a:='.repeat(10_000), long)).toEqual({
      failure: 'variable substitution failed: variables nest too deeply',
    });
  });

  test('accepts any text, and keeps texts without a dollar sign', () => {
    const piece = fc.constantFrom('$', '{', '}', ':', '=', '-', '/', '#', '%', '^', 'town', 'secret', '\\', 'é', ' ');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join('');
        const result = substitute(text, VARIABLES);
        if (!text.includes('$')) expect(result).toEqual({ text });
        else expect('text' in result || result.failure.startsWith('variable substitution failed: ')).toBe(true);
      }),
    );
  });
});
