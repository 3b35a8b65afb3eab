// Golden locations of fields: test/cases/positions/<case>/input.* and expected.txt. `describeCase` documents the format.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readManifests } from '../src/source/manifest/read-manifests.ts';
import type { WrittenManifest } from '../src/source/manifest/written-manifest.ts';
import { SourceFile, type SourceRange } from '../src/source/text/source-file.ts';
import { parseFieldPath } from './support/field-path.ts';

const CASES = join(import.meta.dirname, 'cases', 'positions');

describe('positions', () => {
  for (const name of readdirSync(CASES).sort()) {
    it(name, () => {
      const folder = join(CASES, name);
      const input = readdirSync(folder).find((file) => file.startsWith('input.')) as string;
      const file = new SourceFile(input, readFileSync(join(folder, input), 'utf8'));
      const expected = readFileSync(join(folder, 'expected.txt'), 'utf8');
      const described = describeCase(file, expected);
      if (process.env['BLESS'] === '1') writeFileSync(join(folder, 'expected.txt'), described);
      else expect(described).toBe(expected);
    });
  }
});

/**
 * Fills in the lines of an expected.txt: `path | part | place | text there`. A new line needs path and part only; `BLESS=1 npx vitest run
 * test/positions.test.ts` writes the rest. `#1 spec.replicas` is a field of the second document. Parts are key, value, entry, `text 2-5`
 * (code points of the decoded string) and aliases. Lines for problems and duplicate keys are added automatically. Comments (`;`) and empty
 * lines are kept.
 */
function describeCase(file: SourceFile, expected: string): string {
  const { manifests, problems } = readManifests(file);
  const lines = expected
    .trimEnd()
    .split('\n')
    .filter((line) => !/^(problem|duplicate) \|/.test(line))
    .map((line) => (line === '' || line.startsWith(';') ? line : answer(file, manifests, line)));
  for (const { kind, message, range } of problems) lines.push(`problem | ${kind}: ${message} | ${show(file, range)}`);
  for (const { duplicateFields } of manifests) {
    for (const { kind, range, firstRange, message, isMerged } of duplicateFields) {
      const first = firstRange === undefined ? '' : ` after ${place(file, firstRange)}`;
      lines.push(`duplicate | ${kind}${isMerged ? ' merged' : ''}${first} ${message} | ${show(file, range)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function answer(file: SourceFile, manifests: readonly WrittenManifest[], line: string): string {
  const [address = '', part = ''] = line.split(' | ');
  const [, document = '0', path = ''] = /^(?:#(\d+) ?)?(.*)$/.exec(address) ?? [];
  const manifest = manifests.find(({ index }) => index === Number(document));
  if (manifest === undefined) return `${address} | ${part} | no such document`;
  const fields = parseFieldPath(path);
  const ranges = part === 'aliases' ? manifest.locateAliases(fields) : [locate(manifest, fields, part)];
  const missing = manifest.has(fields) ? '' : ' (not written)';
  return `${address} | ${part} | ${ranges.map((range) => show(file, range)).join(' | ')}${missing}`;
}

function locate(manifest: WrittenManifest, path: ReturnType<typeof parseFieldPath>, part: string): SourceRange {
  const text = /^text (\d+)-(\d+)$/.exec(part);
  if (text !== null) return manifest.locateText(path, Number(text[1]), Number(text[2]));
  if (part === 'key' || part === 'value' || part === 'entry') return manifest.locate(path, part);
  throw new Error(`unknown part ${part}`);
}

function show(file: SourceFile, range: SourceRange): string {
  return `${place(file, range)} | ${JSON.stringify(file.text.slice(range.start, range.end))}`;
}

/** From the first character to the one after the last. */
function place(file: SourceFile, range: SourceRange): string {
  const start = file.positionAt(range.start);
  const end = file.positionAt(range.end);
  return `${start.line}:${start.column}-${end.line}:${end.column}`;
}
