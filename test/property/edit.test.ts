// Editing a text: every reader reads the edited value afterwards, and all other values are unchanged.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import { type EditedFile, editFile } from '../../src/source/edit/edit-file.ts';
import { applyEdits, editsBetween } from '../../src/source/edit/json-edit.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../src/source/json/json.ts';
import { readManifests } from '../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';

const TEXT = fc.oneof(
  fc.constantFrom(
    '',
    'yes',
    '1',
    '1:30',
    '0x10',
    'a b',
    ' a',
    'a: b',
    'a #b',
    '~',
    "it's",
    'two\nlines',
    'two\nlines\n',
    '- x',
    '2001-01-01',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const KEY = fc.oneof(fc.constantFrom('name', 'labels', 'spec', 'a', 'b', 'on', 'x.y/z'), TEXT);
const LEAF = fc.oneof(TEXT, fc.boolean(), fc.constant(null), fc.integer(), fc.constantFrom(0.5, -1e21, 1.25e-7));

const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    LEAF,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(KEY, tie('tree'), { maxKeys: 4 }),
  ),
}));
const OBJECT = fc.dictionary(KEY, tree, { maxKeys: 5 }).map((fields) => ({ kind: 'Thing', ...fields }));

const LAYOUT = fc.record({
  indentSeq: fc.boolean(),
  indent: fc.constantFrom(2, 4),
  collectionStyle: fc.constantFrom('any' as const, 'flow' as const),
  isJson: fc.boolean(),
  comments: fc.boolean(),
  lineEnd: fc.constantFrom('\n', '\r\n'),
});

type Layout = typeof LAYOUT extends fc.Arbitrary<infer Value> ? Value : never;

function json(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(json);
  if (value !== null && typeof value === 'object') {
    return new Map(Object.entries(value).map(([key, item]) => [key, json(item)]));
  }
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 53
    ? BigInt(value)
    : (value as JsonValue);
}

function plain(value: JsonValue): unknown {
  if (isJsonArray(value)) return value.map(plain);
  if (isJsonObject(value))
    return [...value]
      .map(([key, item]) => [key, plain(item)])
      .sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1));
  return typeof value === 'bigint' ? Number(value) : value;
}

function written(value: unknown, layout: Layout): string {
  if (layout.isJson) return `${JSON.stringify(value, null, layout.indent)}\n`;
  const { indent, indentSeq, collectionStyle } = layout;
  const text = stringify(value, { indent, indentSeq, collectionStyle, version: '1.1', lineWidth: 0 });
  if (!layout.comments || text.includes('|') || text.includes('>')) return text;
  return `# first\n${text.replace(/^(\s*[a-z]+: [a-z0-9]+)$/gm, '$1  # $&').replace(/# .*$/gm, '# said')}# last\n`;
}

function edited(
  text: string,
  after: JsonValue,
): { readonly file: EditedFile; readonly expected: JsonValue } | undefined {
  const source = new SourceFile('a.yaml', text);
  const [manifest] = readManifests(source).manifests;
  if (manifest === undefined) return undefined;
  const edits = editsBetween(manifest.value, after);
  const file = editFile(source, [{ manifest, rootPath: [], edits }]);
  const done = edits.filter((edit) => !file.left.has(edit));
  return { file, expected: applyEdits(manifest.value, done).value };
}

describe('edits between two values', () => {
  it('turn one value into the other', () => {
    fc.assert(
      fc.property(OBJECT, OBJECT, (before, after) => {
        const { value, left } = applyEdits(json(before), editsBetween(json(before), json(after)));
        expect(left).toEqual([]);
        expect(plain(value)).toEqual(plain(json(after)));
      }),
    );
  });
});

describe('an edited text', () => {
  it('has the edited value for every reader, and keeps its comments', () => {
    let [asked, leftAlone] = [0, 0];
    fc.assert(
      fc.property(OBJECT, OBJECT, LAYOUT, (before, after, layout) => {
        const text = written(before, layout).replaceAll('\n', layout.lineEnd);
        const result = edited(text, json(after));
        if (result === undefined) return;
        const { file, expected } = result;
        asked += 1;
        if (file.left.size > 0) leftAlone += 1;
        const [manifest] = readManifests(new SourceFile('a.yaml', file.text)).manifests;
        expect(plain(manifest?.value ?? null)).toEqual(plain(expected));
        const options = { version: '1.1', merge: true } as const;
        const [[original], [rewritten]] = [parseAllDocuments(text, options), parseAllDocuments(file.text, options)];
        if (original?.errors.length === 0) {
          expect(rewritten?.errors).toEqual([]);
          expect(plain(json(rewritten?.toJS()))).toEqual(plain(expected));
        }
        expect(file.text.match(/# (?:said|first|last)/g)).toEqual(text.match(/# (?:said|first|last)/g));
        expect(file.text.includes('\r\n')).toBe(text.includes('\r\n'));
      }),
    );
    // Nearly every edit succeeds; the exceptions would remove a comment with its field.
    expect(leftAlone).toBeLessThan(asked / 3);
  });

  it('is unchanged without edits', () => {
    fc.assert(
      fc.property(OBJECT, LAYOUT, (value, layout) => {
        const text = written(value, layout);
        const [manifest] = readManifests(new SourceFile('a.yaml', text)).manifests;
        if (manifest === undefined) return;
        expect(edited(text, manifest.value)?.file.text).toBe(text);
      }),
    );
  });
});
