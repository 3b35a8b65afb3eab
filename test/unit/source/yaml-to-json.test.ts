// YAML as Kubernetes reads it: scalars, keys, merges and error texts.
import { describe, expect, it } from 'vitest';
import { readYaml, strictError, yamlToJson } from '../../../src/source/yaml/yaml-to-json.ts';

function answer(text: string): string {
  const result = yamlToJson(text);
  return 'json' in result ? result.json : result.failure.message;
}

describe('scalars', () => {
  it.each([
    ['yes', 'true'],
    ['Off', 'false'],
    ['yEs', '"yEs"'],
    ['~', 'null'],
    ['', 'null'],
    ['017', '15'],
    ['08', '8'],
    ['0o17', '15'],
    ['0x1F', '31'],
    ['-0x1F', '-31'],
    ['0b101', '5'],
    ['0b+101', '5'],
    ['1_000', '1000'],
    ['+12', '12'],
    ['18446744073709551615', '18446744073709551615'],
    ['18446744073709551616', '18446744073709552000'],
    ['1.0', '1'],
    ['1e3', '1000'],
    ['1e400', '"1e400"'],
    ['.5_0', '0.5'],
    ['._5', '"._5"'],
    ['-0.0', '-0'],
    ['1:30', '"1:30"'],
    ['2001-12-14', '"2001-12-14"'],
    ['0x', '"0x"'],
    ['!!str 12', '"12"'],
    ['!!int "12"', '12'],
    ['!!float 1', '1'],
    ['! 12', '"12"'],
    ['!!binary aGk=', '"hi"'],
    ['!!binary /w==', '"\\ufffd"'],
    ['!!timestamp 2001-12-14t21:59:43.10-05:00', '"2001-12-14t21:59:43.10-05:00"'],
    ['!!timestamp 2001-02-30', 'yaml: cannot decode !!str `2001-02-30` as a !!timestamp'],
    ['!!float 18446744073709551615', 'yaml: cannot decode !!int `18446744073709551615` as a !!float'],
    ['!!binary x', 'yaml: !!binary value contains invalid base64 data'],
    ['.inf', 'json: unsupported value: +Inf'],
    ['.nan', 'json: unsupported value: NaN'],
  ])('%s', (text, json) => {
    expect(answer(`v: ${text}\n`)).toBe(/^(yaml|json):/.test(json) ? json : `{"v":${json}}`);
  });
});

describe('keys', () => {
  it.each([
    ['1: a', '{"1":"a"}'],
    ['0x10: a', '{"16":"a"}'],
    ['true: a', '{"true":"a"}'],
    ['1.10: a', '{"1.1":"a"}'],
    ['1e6: a', '{"1e+06":"a"}'],
    ['0.30000000000000004: a', '{"0.3":"a"}'],
    ['1485032.2965722: a', '{"1.4850322e+06":"a"}'],
    ['1e-5: a', '{"1e-05":"a"}'],
    ['.inf: a', '{".inf":"a"}'],
    ['~: a', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "a"'],
    [
      '18446744073709551615: [a]',
      'unsupported map key of type: uint64, key: 0xffffffffffffffff, value: []interface {}{"a"}',
    ],
    ['? [a, 1.5, ~]\n: b', 'yaml: invalid map key: []interface {}{"a", 1.5, interface {}(nil)}'],
    ['? {b: 1, a: "\\n"}\n: b', 'yaml: invalid map key: map[interface {}]interface {}{"a":"\\n", "b":1}'],
    [
      '? {1: a, "1": b, 1.0: c, 1: d}\n: e',
      'yaml: invalid map key: map[interface {}]interface {}{"1":"b", 1:"d", 1:"c"}',
    ],
  ])('%s', (text, json) => {
    expect(answer(`${text}\n`)).toBe(json);
  });

  it('are ignored if a later duplicate replaces them', () => {
    expect(answer('a: {~: 1}\na: 2\n')).toBe('{"a":2}');
  });
});

describe('merge keys and aliases', () => {
  it.each([
    ['a: &x {p: 1}\nb: {<<: *x, q: 2}', '{"a":{"p":1},"b":{"p":1,"q":2}}'],
    ['a: &x {p: 1}\nb: {p: 0, <<: *x}', '{"a":{"p":1},"b":{"p":1}}'],
    ['a: &x {p: 1}\nb: {"<<": *x}', '{"a":{"p":1},"b":{"\\u003c\\u003c":{"p":1}}}'],
    ['a: &x [1]\nb: {<<: *x}', 'yaml: map merge requires map or sequence of maps as the value'],
    ['a: &x [*x]', "yaml: anchor 'x' value contains itself"],
    ['a: *x', "yaml: unknown anchor 'x' referenced"],
  ])('%s', (text, json) => {
    expect(answer(`${text}\n`)).toBe(json);
  });

  it('are rejected when aliases expand excessively', () => {
    const levels = Array.from(
      { length: 9 },
      (_, level) => `a${level + 1}: &a${level + 1} [${Array(9).fill(`*a${level}`).join(',')}]`,
    );
    expect(answer(`a0: &a0 [x, x]\n${levels.join('\n')}\n`)).toBe('yaml: document contains excessive aliasing');
  });
});

describe('invalid YAML', () => {
  it.each([
    ['a: b: c', 'yaml: mapping values are not allowed in this context'],
    ['a\nb: 1', 'yaml: line 2: mapping values are not allowed in this context'],
    ['- a\nb: 1', "yaml: line 1: did not find expected '-' indicator"],
    ['a: [b', "yaml: line 1: did not find expected ',' or ']'"],
    ['a: "b', 'yaml: line 2: found unexpected end of stream'],
    ['a: "\\q"', 'yaml: found unknown escape character'],
    ['a: |0\n  x', 'yaml: found an indentation indicator equal to 0'],
    ['a:\n\tb: 1', 'yaml: line 2: found character that cannot start any token'],
    ['%YAML 1.2\n---\na', 'yaml: found incompatible YAML document'],
    ['a: !u!x y', 'yaml: found undefined tag handle'],
    ['a: \u0001', 'yaml: control characters are not allowed'],
  ])('%j', (text, message) => {
    expect(answer(`${text}\n`)).toBe(message);
  });

  it('includes excessive depth and key length', () => {
    expect(answer('['.repeat(10001))).toBe('yaml: exceeded max depth of 10000');
    expect(answer('- '.repeat(10001))).toBe('yaml: exceeded max depth of 10000');
    expect(answer(`${'b'.repeat(1024)}: 1`)).toBe(`{"${'b'.repeat(1024)}":1}`);
    expect(answer(`${'b'.repeat(1025)}: 1`)).toBe('yaml: mapping values are not allowed in this context');
    expect(answer(`${'😀'.repeat(1024)}: 1`)).toBe(`{"${'😀'.repeat(1024)}":1}`);
  });

  it('includes a forbidden character only if go-yaml reads that far', () => {
    expect(answer('a: ]\n\u0001')).toBe('yaml: control characters are not allowed');
    expect(answer(`a: ]\n${'#'.repeat(600)}\n\u0001`)).toBe('yaml: did not find expected node content');
    expect(answer(`a: 1\nb # x\n${'c'.repeat(1100)}\n\u0001`)).toBe("yaml: line 3: could not find expected ':'");
  });

  it.each([
    ['\udcff', 'invalid leading UTF-8 octet'],
    ['\udc80b', 'invalid leading UTF-8 octet'],
    ['caf\udce9 au lait', 'invalid trailing UTF-8 octet'],
    ['\udce2\udc82', 'incomplete UTF-8 octet sequence'],
    ['\udce9', 'incomplete UTF-8 octet sequence'],
    ['\udcc0\udc80', 'invalid length of a UTF-8 sequence'],
    ['\udced\udca0\udc80', 'invalid Unicode character'],
    ['\udcf5\udc80\udc80\udc80', 'invalid Unicode character'],
    ['\ud800', 'invalid Unicode character'],
  ])('includes an octet that is not UTF-8: %j', (octets, message) => {
    expect(answer(`a: ${octets}`)).toBe(`yaml: ${message}`);
  });

  it('is detected only up to the end of the first document', () => {
    expect(answer('a: 1\n...\nb: [\n')).toBe('{"a":1}');
    expect(readYaml('a: 1\n...\nb: [\n')).toMatchObject({ rest: 9 });
  });
});

describe('a second byte order mark', () => {
  it('removes the first character of each line in the first block', () => {
    expect(answer('\ufeff\ufeffkind: a\nname: b\n')).toBe('{"ame":"b","kind":"a"}');
    expect(answer(`\ufeff\ufeffkind: a\n${'#'.repeat(600)}\nname: b\n`)).toBe('{"kind":"a"}');
    expect(answer('\ufeff\ufeff')).toBe('null');
  });
});

describe('strictError', () => {
  it('lists duplicate keys with the line of the later value', () => {
    const read = readYaml('a: 1\nb: 2\na:\n  - 3\n1: x\n0x1: y\n"1": z\n');
    expect('value' in read && strictError(read.duplicates)).toBe(
      'yaml: unmarshal errors:\n  line 4: key "a" already set in map\n  line 6: key 1 already set in map',
    );
    expect('value' in read && read.duplicates.map(({ kind }) => kind)).toEqual(['repeated', 'repeated', 'colliding']);
  });

  it('precedes the error for values that JSON cannot hold', () => {
    const read = readYaml('a: 1\na: 2\n~: 3\n');
    expect('failure' in read && read.failure.message).toContain('unsupported map key');
    expect('failure' in read && strictError(read.failure.duplicates)).toBe(
      'yaml: unmarshal errors:\n  line 2: key "a" already set in map',
    );
  });

  it('is undefined without duplicate keys', () => {
    const read = readYaml('a: 1\n');
    expect('value' in read && strictError(read.duplicates)).toBeUndefined();
  });
});
