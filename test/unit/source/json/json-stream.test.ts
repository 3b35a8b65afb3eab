// A stream of JSON values in chunks of any size: the values and their lines.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonStream, type StreamItem } from '../../../../src/source/json/json-stream.ts';
import { tries } from '../../../support/tries.ts';

function read(...chunks: readonly string[]): readonly StreamItem[] {
  const stream = new JsonStream();
  return [...chunks.flatMap((chunk) => stream.push(chunk)), ...stream.end()];
}

const value = (line: number, parsed: unknown) => ({ line, value: parsed });
const one = new Map([['a', 1n]]);

describe('JsonStream', () => {
  it.each([
    ['nothing', '', []],
    ['white space and a byte-order mark', '\ufeff \n\t\r\n', []],
    ['one a line', '{"a":1}\n{"a":1}\n', [value(1, one), value(2, one)]],
    ['one after another', '{"a":1}{"a":1} [1.0] ', [value(1, one), value(1, one), value(1, [1])]],
    ['over several lines', '\n{\n"a":\n1}\n{"a":1}', [value(2, one), value(5, one)]],
    ['a number at the end', '12', [value(1, 12n)]],
    [
      'a line that is none',
      'what?\n{"a":1}',
      [{ line: 1, problem: "invalid character 'w' looking for beginning of value" }, value(2, one)],
    ],
    [
      'a broken line among others',
      '{"a":1}\n{"a":}\n{"a":1}',
      [value(1, one), { line: 2, problem: "invalid character '}' looking for beginning of value" }, value(3, one)],
    ],
    [
      'a line that is cut off',
      '{"a":\n{"a":1}\n{"a":1}',
      [{ line: 3, problem: "invalid character '{' after object key:value pair" }, value(2, one), value(3, one)],
    ],
    ['the last line cut off', '{"a":1}\n{"a":[1,', [value(1, one), { line: 2, problem: 'unexpected EOF' }]],
    [
      'a broken value over several lines',
      '{\n "a": ?\n}\n{"a":1}',
      [{ line: 2, problem: "invalid character '?' looking for beginning of value" }, value(4, one)],
    ],
    [
      'an object nested too deeply',
      `${'['.repeat(2000)}${']'.repeat(2000)}`,
      [{ line: 1, problem: 'nested too deeply' }],
    ],
  ])('%s', (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it('reads the same values for every chunk size', () => {
    const line = fc.constantFrom('{"a":1}', '{"a":"\\u2028x"}', '{"a":}', 'what', '{"a":', '[1,2]', '  ', '{', '}');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.array(fc.nat(200), { maxLength: 6 }), (lines, cuts) => {
        const text = lines.join('\n');
        const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
        const chunks = places.slice(1).map((place, index) => text.slice(places[index], place));
        expect(read(...chunks)).toEqual(read(text));
      }),
      tries(300, 7),
    );
  });
});
