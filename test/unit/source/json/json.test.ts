// Writes and reads JSON text as Go's packages do.
import { describe, expect, it } from 'vitest';
import { compareUtf8, type JsonValue, stringifyJson } from '../../../../src/source/json/json.ts';
import { parseJson } from '../../../../src/source/json/parse-json.ts';

const GO = { sortKeys: true, escapeHtml: true };

describe('stringifyJson', () => {
  it.each<[JsonValue, string]>([
    [null, 'null'],
    [9007199254740993n, '9007199254740993'],
    [0.1, '0.1'],
    [1e21, '1e+21'],
    [1e20, '100000000000000000000'],
    [1e-6, '0.000001'],
    [1e-7, '1e-7'],
    [-0, '-0'],
    ['<a href="x">&\\\b\f\n\r\t\u0001\u007f', '"\\u003ca href=\\"x\\"\\u003e\\u0026\\\\\\b\\f\\n\\r\\t\\u0001\u007f"'],
    ['\u2028\u2029é😀', '"\\u2028\\u2029é😀"'],
    ['bad \udcff byte', '"bad \\ufffd byte"'],
    [[], '[]'],
    [new Map(), '{}'],
    [[1n, [true], new Map([['a', null]])], '[1,[true],{"a":null}]'],
  ])('%o', (value, text) => {
    expect(stringifyJson(value, GO)).toBe(text);
  });

  it('sorts keys by their UTF-8 bytes, or keeps their order', () => {
    const value = new Map([...['😀', '\uffff', 'b', 'a', ''].entries()].map(([index, key]) => [key, BigInt(index)]));
    expect(stringifyJson(value, GO)).toBe('{"":4,"a":3,"b":2,"\uffff":1,"😀":0}');
    expect(stringifyJson(value, { sortKeys: false, escapeHtml: true })).toBe('{"😀":0,"\uffff":1,"b":2,"a":3,"":4}');
  });

  it('escapes HTML only on demand', () => {
    expect(stringifyJson('<&>', { sortKeys: true, escapeHtml: false })).toBe('"<&>"');
  });

  it('writes values nested as deeply as Kubernetes allows', () => {
    let value: JsonValue = [];
    for (let depth = 1; depth < 10000; depth++) value = [value];
    expect(stringifyJson(value, GO)).toBe('['.repeat(10000) + ']'.repeat(10000));
  });
});

describe('compareUtf8', () => {
  it.each([
    ['a', 'b', -1],
    ['a', 'a', 0],
    ['ab', 'a', 1],
    ['\ud7ff', '😀', -1],
    ['\ue000', '😀', -1],
    ['😀', '\uffff', 1],
    ['😀', '😁', -1],
  ])('%j %j', (left, right, sign) => {
    expect(Math.sign(compareUtf8(left, right))).toBe(sign);
  });
});

describe('parseJson', () => {
  it.each<[string, JsonValue]>([
    ['1', 1n],
    ['-0', 0n],
    ['1.0', 1],
    ['1e3', 1000],
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9223372036854775808', 2 ** 63],
    [' "a\\u00e9\\ud83d\\ude00\\/" ', 'aé😀/'],
    ['"\\ud83d x \\ude00"', '\ufffd x \ufffd'],
    ['[true, null, {}]', [true, null, new Map()]],
    ['{"a": 1, "a": 2}', new Map([['a', 2n]])],
    ['{"__proto__": 1}', new Map([['__proto__', 1n]])],
  ])('%s', (text, value) => {
    expect(parseJson(text)).toMatchObject({ value });
  });

  it.each([
    ['', 'unexpected end of JSON input', 0],
    ['{', 'unexpected end of JSON input', 1],
    ['"a', 'unexpected end of JSON input', 2],
    ['{a: 1}', "invalid character 'a' looking for beginning of object key string", 1],
    ['{\udcff}', "invalid character 'ÿ' looking for beginning of object key string", 1],
    ['{é}', "invalid character 'Ã' looking for beginning of object key string", 1],
    ['{"a": 1,}', "invalid character '}' looking for beginning of object key string", 8],
    ['{"a" 1}', "invalid character '1' after object key", 5],
    ['{"a": 1 "b"}', "invalid character '\"' after object key:value pair", 8],
    ['[1 2]', "invalid character '2' after array element", 3],
    ['[1,]', "invalid character ']' looking for beginning of value", 3],
    ['01', "invalid character '1' after top-level value", 1],
    ['-x', "invalid character 'x' in numeric literal", 1],
    ['1.x', "invalid character 'x' after decimal point in numeric literal", 2],
    ['1ex', "invalid character 'x' in exponent of numeric literal", 2],
    ['trux', "invalid character 'x' in literal true (expecting 'e')", 3],
    ['"\\x"', "invalid character 'x' in string escape code", 2],
    ['"\\u00g0"', "invalid character 'g' in \\u hexadecimal character escape", 5],
    ['"\n"', "invalid character '\\n' in string literal", 1],
    ["'a'", "invalid character '\\'' looking for beginning of value", 0],
    ['é', "invalid character 'Ã' looking for beginning of value", 0],
    ['[1e400]', 'json: cannot unmarshal number 1e400 into Go value of type float64', 1],
    ['['.repeat(10001), "invalid character '[' exceeded max depth", 10000],
  ])('%j', (text, message, start) => {
    expect(parseJson(text)).toMatchObject({ problem: { message, start } });
  });

  it('records duplicate keys', () => {
    const parsed = parseJson('{"a": 1, "b": {"c": 1, "c": 2}, "a": 3}');
    expect('value' in parsed && parsed.duplicates.map(({ name, index }) => [name, index])).toEqual([
      ['c', 1],
      ['a', 2],
    ]);
  });
});
