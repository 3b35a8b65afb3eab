// Cached results equal those of parsing and searching, apply only to the same text and program, and survive damage.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HeldValues } from '../../../../src/source/manifest/held-values.ts';
import { type ManifestFile, readManifests } from '../../../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../../../src/source/text/source-file.ts';
import { KnownTexts } from '../../../../src/workspace/cache/known-texts.ts';

let folder: string;
let root: string;
let cache: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'preadmit-known-texts-'));
  root = join(folder, 'repository');
  cache = join(folder, 'cache');
  mkdirSync(root);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(options: { version?: string; root?: string; maximumBytes?: number } = {}): KnownTexts {
  return new KnownTexts({ folder: cache, root, version: '1.0.0', of: 'change', ...options });
}

/** Parses the text without a cache, or with the given one. */
function read(text: string, texts?: KnownTexts): ManifestFile {
  return readManifests(new SourceFile('a.yaml', text), new HeldValues(), texts);
}

/** Parses the text in one run, and returns whether the next run has it cached. */
function isKept(text: string, later: Parameters<typeof open>[0] = {}): boolean {
  const first = open();
  read(text, first);
  first.keep();
  return open(later).find(new SourceFile('b.yaml', text)) !== undefined;
}

const TEXTS = [
  'a: 1\n',
  '# nothing\n---\nkind: A\nz: 1\n"10": first\n"9": {__proto__: x}\n---\n---\nkind: B\n',
  'small: 1\nlarge: 9223372036854775807\nhuge: 9223372036854775808\ndouble: 1.0\nexponent: 1e3\nminus: -0.0\nempty: ~\nyes: true\n',
  'base: &base {a: [1, 2.5, x]}\nmerged: {<<: *base, b: *base}\n',
  'text: |\n  one\n  two\nescaped: "\\u00e9\\n\\U0001F600"\nwide: 日本語\n',
  '{"kind": "A", "list": [1, 2.0, {"b": 1, "a": null}]}\n{"kind": "B"}\n',
  '\ufeffkind: A\r\nb: 1\r\n',
  '',
];

test.each(TEXTS)('a cached result equals a newly parsed one: %j', (text) => {
  const fresh = read(text);
  expect(isKept(text)).toBe(true);
  const texts = open();
  const known = read(text, texts);
  expect({ ...known, manifests: [] }).toEqual({ ...fresh, manifests: [] });
  const toldOf = ({ manifests }: ManifestFile): unknown =>
    manifests.map((manifest) => {
      const { index, format, documentRange, range, value, duplicateFields } = manifest;
      const [key] = value instanceof Map ? [...value.keys()] : [];
      const place = key === undefined ? undefined : manifest.locate([key as string], 'entry');
      return { index, format, documentRange, range, value, duplicateFields, place };
    });
  expect(toldOf(known)).toEqual(toldOf(fresh));
  // Includes the order of keys, which equality of maps ignores.
  const ordered = ({ manifests }: ManifestFile) => manifests.map(({ value }) => Array.from(value as Iterable<unknown>));
  expect(ordered(known)).toEqual(ordered(fresh));
});

test.each([
  ['a: [\n', 'does not parse'],
  ['a: 1\na: 2\n', 'says a field twice'],
  ['a: 1\n...\nb: 2\n', 'has text that nobody reads'],
])('%j is always parsed, because it %s', (text) => {
  expect(isKept(text)).toBe(false);
});

test('a cached result applies only to the same text, program and repository', () => {
  expect(isKept('a: 1\n')).toBe(true);
  expect(open().find(new SourceFile('a.yaml', 'a: 2\n'))).toBeUndefined();
  expect(isKept('a: 1\n', { version: '1.0.1' })).toBe(false);
  const other = join(folder, 'other');
  mkdirSync(other);
  expect(isKept('a: 1\n', { root: other })).toBe(false);
});

test('answers are cached with their texts', () => {
  const first = open();
  const ask = first.answers.to('is long');
  for (const text of ['a: 1\n', 'b: 22\n']) ask(new SourceFile('x.yaml', text), () => text.length > 5);
  first.keep();
  const next = open();
  const fail = (): boolean => {
    throw new Error('asked again');
  };
  expect(next.answers.to('is long')(new SourceFile('y.yaml', 'b: 22\n'), fail)).toBe(true);
  expect(next.answers.to('is long')(new SourceFile('y.yaml', 'a: 1\n'), fail)).toBe(false);
  expect(next.answers.to('is long')(new SourceFile('y.yaml', 'c: 3\n'), () => true)).toBe(true);
});

test('a run that finds out nothing leaves the file alone, and one that does keeps what it used itself', () => {
  const first = open();
  for (const text of ['a: 1\n', 'b: 2\n']) read(text, first);
  first.keep();
  const [name = ''] = readdirSync(cache);
  const before = readFileSync(join(cache, name));
  const second = open();
  read('a: 1\n', second);
  second.keep();
  expect(readFileSync(join(cache, name)).equals(before)).toBe(true);
  const third = open();
  read('a: 1\n', third);
  read('c: 3\n', third);
  third.keep();
  const known = ['a: 1\n', 'b: 2\n', 'c: 3\n'].map((text) => open().find(new SourceFile('x.yaml', text)) !== undefined);
  expect(known).toEqual([true, false, true]);
});

test('a damaged file counts as missing', () => {
  expect(isKept('a: 1\n')).toBe(true);
  const [name = ''] = readdirSync(cache);
  const whole = readFileSync(join(cache, name));
  const flipped = Buffer.from(whole);
  flipped[whole.length - 3] = (whole[whole.length - 3] ?? 0) ^ 1;
  for (const damaged of [flipped, whole.subarray(0, 40), Buffer.alloc(0), Buffer.from('x'.repeat(200))]) {
    writeFileSync(join(cache, name), damaged);
    expect(open().find(new SourceFile('a.yaml', 'a: 1\n'))).toBeUndefined();
    expect(read('a: 1\n', open()).manifests).toHaveLength(1);
  }
});

test('results above the limit are not cached, and only the newest files of many repositories are kept', () => {
  const first = open({ maximumBytes: 300 });
  const texts = ['a: 1\n', `b: ${'long '.repeat(100)}\n`, 'c: 3\n'];
  for (const text of texts) read(text, first);
  first.keep();
  const known = texts.map((text) => open().find(new SourceFile('x.yaml', text)) !== undefined);
  expect(known).toEqual([true, false, true]);
  for (let number = 0; number < 12; number++) {
    const later = open({ version: `${number}` });
    read('a: 1\n', later);
    later.keep();
  }
  expect(readdirSync(cache)).toHaveLength(8);
});

test('a cache inside the repository is rejected', () => {
  expect(() => new KnownTexts({ folder: join(root, 'cache'), root, version: '1.0.0', of: 'change' })).toThrow(
    /inside the checked repository/,
  );
});
