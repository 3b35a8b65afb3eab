// Splits files into documents as kubectl does, and reports a reason for every text that is not a document.
import { describe, expect, it } from 'vitest';
import { stringifyJson } from '../../../../src/source/json/json.ts';
import { readManifests } from '../../../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../../../src/source/text/source-file.ts';

function read(text: string) {
  const { manifests, problems, documentCount, emptyCount } = readManifests(new SourceFile('app.yaml', text));
  const values = manifests.map(
    ({ index, value }) => `${index} ${stringifyJson(value, { sortKeys: true, escapeHtml: true })}`,
  );
  const said = problems.map(({ kind, message, documentIndex, range }) => ({
    said: `${documentIndex} ${kind}: ${message}`,
    at: text.slice(range.start, range.end),
  }));
  return { values, problems: said, documentCount, emptyCount };
}

describe('documents', () => {
  it.each([
    ['a: 1\n---\nb: 2\n', ['0 {"a":1}', '1 {"b":2}']],
    ['---\na: 1\n---\n---\nb: 2\n', ['0 {"a":1}', '1 {"b":2}']],
    ['a: 1\r\n--- # next\r\nb: 2', ['0 {"a":1}', '1 {"b":2}']],
    ['v: |\n  no break at the end', ['0 {"v":"no break at the end\\n"}']],
    ['\ufeffa: 1\n---\n\ufeffb: 2\n', ['0 {"a":1}', '1 {"b":2}']],
    ['a: x\r\r\nb: 1\r\n', ['0 {"a":"x","b":1}']],
    ['{"a": 1.0}{"b": 1}', ['0 {"a":1}', '1 {"b":1}']],
    ['\ufeff{"a": "\\/"}', ['0 {"a":"/"}']],
    ['{"a": yes}', ['0 {"a":true}']],
  ])('%j', (text, values) => {
    expect(read(text)).toEqual({ values, problems: [], documentCount: values.length, emptyCount: 0 });
  });

  it('distinguish integers and doubles by the rules of the file format', () => {
    const valuesOf = (text: string) => readManifests(new SourceFile('a', text)).manifests.map(({ value }) => value);
    expect(valuesOf('{"a": 1.0, "b": 1}')).toEqual([
      new Map<string, unknown>([
        ['a', 1],
        ['b', 1n],
      ]),
    ]);
    expect(valuesOf('a: 1.0\nb: 1e3\nc: 18446744073709551615\nd: 100000000000000016.0')).toEqual([
      new Map<string, unknown>([
        ['a', 1n],
        ['b', 1000n],
        ['c', 18446744073709552000],
        ['d', 100000000000000020n],
      ]),
    ]);
  });

  it('are counted when they are empty', () => {
    expect(read('# only a comment\n---\n\n---\nnull\n---\na: 1\n')).toEqual({
      values: ['3 {"a":1}'],
      problems: [],
      documentCount: 4,
      emptyCount: 3,
    });
    expect(read('')).toEqual({ values: [], problems: [], documentCount: 0, emptyCount: 0 });
  });
});

describe('problems', () => {
  it('affect one document, not the whole file', () => {
    expect(read('a: 1\n---\nb: [\n---\nc: 3\n')).toEqual({
      values: ['0 {"a":1}', '2 {"c":3}'],
      problems: [
        { said: '1 syntax: error converting YAML to JSON: yaml: line 1: did not find expected node content', at: '[' },
      ],
      documentCount: 3,
      emptyCount: 0,
    });
  });

  it.each([
    ['a: 1\n--- b\nc: 1\n', '1 separator: invalid Yaml document separator: b', '---'],
    ['---b: 2\na: 1\n', '0 separator: invalid Yaml document separator: b: 2', '---'],
    [
      'a: 1\n...\nb: 2\n\n',
      '0 unread: Kubernetes ignores text between the end of a document and the next `---`',
      'b: 2',
    ],
    ['{"a": 1}\n{"b": 2}\n{"c" 3}', "2 syntax: invalid character '3' after object key", '3'],
    ['{"é": "x" y', "0 syntax: json: offset 12: invalid character 'y' after object key:value pair", 'y'],
    ['{"a": 1}\n}', "1 syntax: json: offset 10: invalid character '}' looking for beginning of value", '}'],
    ['{"a": "x', '0 syntax: unexpected EOF', 'x'],
    ['{"a": [1e400]}', '0 syntax: json: cannot unmarshal number 1e400 into Go value of type float64', '1'],
  ])('%j', (text, said, at) => {
    expect(read(text).problems).toEqual([{ said, at }]);
  });

  it('report documents that are nested too deeply', () => {
    expect(read(`a: ${'['.repeat(999)}${']'.repeat(999)}`).problems).toEqual([]);
    expect(read(`a: ${'['.repeat(1000)}${']'.repeat(1000)}`).problems).toMatchObject([
      { said: '0 depth: document is nested more than 1000 levels deep' },
    ]);
  });

  it('report a last line that kubectl drops', () => {
    const line = `b: ${'x'.repeat(4093)}`;
    expect(line).toHaveLength(4096);
    expect(read(`a: 1\n${line}`)).toMatchObject({ values: ['0 {"a":1}'], problems: [{ at: line }] });
    expect(read(`a: 1\n${line}\n`).problems).toEqual([]);
    expect(read(`a: 1\n${line}x`).problems).toEqual([]);
  });

  it('stop the reading of a file with too many documents', () => {
    const { manifests, problems } = readManifests(new SourceFile('a.yaml', 'a: 1\n---\n'.repeat(10002)));
    expect(manifests).toHaveLength(10000);
    expect(problems).toMatchObject([{ kind: 'count', message: 'file holds more than 10000 documents' }]);
  });

  it('name the construct being read and its start', () => {
    const { problems } = readManifests(new SourceFile('a.yaml', 'spec:\n  a: 1\n  - b\n'));
    expect(problems).toMatchObject([
      {
        range: { start: 15, end: 16 },
        related: [{ message: 'while parsing a block mapping', range: { start: 8, end: 9 } }],
      },
    ]);
  });
});
