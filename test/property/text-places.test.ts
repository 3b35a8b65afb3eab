// Maps positions in a string to the file and back.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readManifests } from '../../src/source/manifest/read-manifests.ts';
import { SourceFile } from '../../src/source/text/source-file.ts';

const LINE = fc.string({
  unit: fc.constantFrom('a', 'b', '.', ' ', '"', "'", '\\', 'ü', '🚢', '&&', '#', ':'),
  maxLength: 12,
});
const LINES = fc.array(
  LINE.map((line) => `x${line.trimEnd()}`),
  { minLength: 1, maxLength: 5 },
);

/** One text in each notation. */
const DOCUMENT = fc.record({
  lines: LINES,
  style: fc.constantFrom('literal', 'folded', 'strip', 'double', 'single', 'json', 'folded-double'),
  isWindows: fc.boolean(),
  before: fc.integer({ min: 0, max: 2 }),
});

function written({
  lines,
  style,
  isWindows,
  before,
}: {
  lines: string[];
  style: string;
  isWindows: boolean;
  before: number;
}): string {
  const indented = lines.map((line) => `        ${line}`).join('\n');
  const text = lines.join('\n');
  const scalar = {
    literal: `|\n${indented}`,
    folded: `>-\n${indented}`,
    strip: `|-\n${indented}`,
    double: JSON.stringify(text),
    json: JSON.stringify(text).replace('x', '\\u0078'),
    single: `'${lines.join(' ').replaceAll("'", "''")}'`,
    'folded-double': JSON.stringify(text).replaceAll(' ', '\n        '),
  }[style];
  const documents = `${'a: 1\n---\n'.repeat(before)}spec:\n  list:\n    - name: one\n      text: ${scalar}\n    - 2\n`;
  return isWindows ? documents.replaceAll('\n', '\r\n') : documents;
}

const PATH = ['spec', 'list', 0, 'text'];

it('maps locations back to their origin', () => {
  let count = 0;
  fc.assert(
    fc.property(DOCUMENT, (document) => {
      const manifest = readManifests(new SourceFile('a.yaml', written(document))).manifests.at(-1);
      if (manifest === undefined) return;
      const value = manifest.textAt(manifest.locate(PATH, 'value').start);
      if (value === undefined) throw new Error('no text');
      expect(value.path).toEqual(PATH);
      for (let at = 0; at <= value.text.length; at++) {
        const range = manifest.locateUnits(PATH, at, at);
        // A block scalar's final line break is outside its location.
        if (range.start > manifest.locate(PATH, 'value').end) continue;
        const back = manifest.textAt(range.start);
        expect(back?.path).toEqual(PATH);
        const offset = back?.offset ?? -1;
        expect(manifest.locateUnits(PATH, offset, offset)).toEqual(range);
        // A character that is copied verbatim maps back to itself.
        const unit = manifest.locateUnits(PATH, at, at + 1);
        const isCopied = at < value.text.length && manifest.file.text.slice(unit.start, unit.end) === value.text[at];
        if (isCopied && !/\s/.test(value.text[at] as string)) {
          expect(offset).toBe(at);
          count += 1;
        }
      }
    }),
    { numRuns: 300 },
  );
  expect(count).toBeGreaterThan(100);
});

it('finds no text between strings', () => {
  const text = 'a: one\n\n\nb:\n  - two\n';
  const [manifest] = readManifests(new SourceFile('a.yaml', text)).manifests;
  expect(manifest?.textAt(text.indexOf('one'))?.path).toEqual(['a']);
  expect(manifest?.textAt(text.indexOf('\n\nb') + 1)).toBeUndefined();
  expect(manifest?.textAt(text.indexOf('two') + 1)).toEqual({ path: ['b', 0], text: 'two', offset: 1 });
});
