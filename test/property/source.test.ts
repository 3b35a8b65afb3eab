// For any file content: reading never throws, reports everything that it drops, and all locations are inside the text.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonArray, isJsonObject, type JsonValue, stringifyJson } from '../../src/source/json/json.ts';
import { parseJson } from '../../src/source/json/parse-json.ts';
import { readManifests } from '../../src/source/manifest/read-manifests.ts';
import type { WrittenManifest } from '../../src/source/manifest/written-manifest.ts';
import type { FieldPath } from '../../src/source/node/field-path.ts';
import { SourceFile, type SourceRange } from '../../src/source/text/source-file.ts';
import { tries } from '../support/tries.ts';

const RUNS = tries(500, 20261121, 500);

const PIECES = [
  ...['a', 'b: ', ': ', ':', '- ', '-', '? ', '[', ']', '{', '}', ', ', '\n', '\n  ', '\n    ', ' ', '\t', ' #c'],
  ...['"', "'", '|', '>', '|-\n', '>+\n', '|2\n', '&a ', '*a', '*a : ', '!!str ', '!!int ', '!!binary ', '!x ', '! '],
  ...['%', '@', '---\n', '\n---\n', '\n--- x\n', '...\n', '\\', '\\n', '\\u00e9', '<<: *a', '<<: [*a]\n', '<<: '],
  ...[
    '1',
    '0x1F',
    '1e3',
    '.nan',
    '~',
    'null',
    'yes',
    '2001-01-01',
    'é',
    '日本',
    '😀',
    '\u2028',
    '\u0085',
    '\r',
    '\r\n',
  ],
  ...['%TAG ! tag:x,2000:\n', 'key: value\n', '- item\n', '{"a": 1}', '"a":', '\ufeff', '\u0001', '\ud800', '\ufffd'],
];
const soup = fc.array(fc.constantFrom(...PIECES), { maxLength: 25 }).map((pieces) => pieces.join(''));
const anyText = fc.oneof(soup, fc.string({ unit: 'binary', maxLength: 60 }));

describe('any text', () => {
  test('is read without exceptions, with all locations inside it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const file = new SourceFile('a.yaml', text);
        const { manifests, problems, documentCount, emptyCount } = readManifests(file);
        const lost = problems.filter(({ kind }) => kind === 'syntax' || kind === 'depth').length;
        expect(manifests.length + emptyCount + lost).toBe(documentCount);
        for (const { range, related } of problems)
          for (const place of [range, ...related.map((r) => r.range)]) isIn(text, place);
        for (const manifest of manifests) checkPlaces(text, manifest);
      }),
      RUNS,
    );
  });

  test('has the same meaning with CR LF', () => {
    fc.assert(
      fc.property(soup, (text) => {
        const lines = text.replaceAll('\r', '');
        const unix = readManifests(new SourceFile('a.yaml', lines));
        const dos = readManifests(new SourceFile('a.yaml', lines.replaceAll('\n', '\r\n')));
        expect(dos.manifests.map(({ value }) => canonical(value))).toEqual(
          unix.manifests.map(({ value }) => canonical(value)),
        );
        const isYaml = ({ message }: { message: string }) => !message.startsWith('json: offset');
        expect(dos.problems.filter(isYaml).map(({ message }) => message)).toEqual(
          unix.problems.filter(isYaml).map(({ message }) => message),
        );
      }),
      RUNS,
    );
  });
});

describe('JSON', () => {
  test('is parsed back unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = asJson(value);
        const parsed = parseJson(canonical(json));
        expect('value' in parsed && canonical(parsed.value)).toBe(canonical(json));
      }),
      RUNS,
    );
  });

  test('is accepted and rejected like JSON.parse', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.json()), (text) => {
        // Lone surrogates are not valid UTF-8, and numbers beyond double are refused during conversion to values.
        fc.pre(!/\p{Surrogate}|\d{9}|e\+?\d{3}/iu.test(text));
        const parsed = parseJson(text);
        expect('value' in parsed).toBe(isJson(text));
      }),
      RUNS,
    );
  });
});

function checkPlaces(text: string, manifest: WrittenManifest): void {
  const paths: FieldPath[] = [[]];
  const visit = (value: JsonValue, path: FieldPath): void => {
    if (paths.length > 40) return;
    paths.push(path, [...path, 'absent'], [...path, 7]);
    if (isJsonArray(value)) for (const [index, item] of value.entries()) visit(item, [...path, index]);
    else if (isJsonObject(value)) for (const [key, item] of value) visit(item, [...path, key]);
  };
  visit(manifest.value, []);
  for (const path of paths) {
    for (const part of ['key', 'value', 'entry'] as const) isIn(text, manifest.locate(path, part));
    isIn(text, manifest.locateText(path, 1, 3));
    for (const place of manifest.locateAliases(path)) isIn(text, place);
  }
  for (const { range } of manifest.duplicateFields) isIn(text, range);
}

function isIn(text: string, { start, end }: SourceRange): void {
  expect(start).toBeGreaterThanOrEqual(0);
  expect(end).toBeGreaterThanOrEqual(start);
  expect(end).toBeLessThanOrEqual(text.length);
}

function canonical(value: JsonValue): string {
  return stringifyJson(value, { sortKeys: true, escapeHtml: true });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function asJson(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(asJson);
  if (typeof value === 'object' && value !== null) {
    return new Map(Object.entries(value).map(([key, inner]) => [key, asJson(inner)]));
  }
  // Kubernetes reads negative zero as zero.
  return Object.is(value, -0) ? 0 : (value as JsonValue);
}
