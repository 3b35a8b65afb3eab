// `git apply` accepts every diff that we print, whatever the ending of the last line.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { unifiedDiff } from '../../../src/source/edit/changed-lines.ts';
import { spliced, type TextSplice } from '../../../src/source/edit/text-edit.ts';
import { SourceFile } from '../../../src/source/text/source-file.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'preadmit-diff-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = (text: string, piece: string, by: string): TextSplice => {
  const start = text.indexOf(piece);
  return { start, end: start + piece.length, text: by };
};
const end = (text: string, by: string): TextSplice => ({ start: text.length, end: text.length, text: by });

const SHORT = 'a: 1\nb: 2';
const LONG = `${Array.from({ length: 12 }, (_, index) => `key-${index}: 1`).join('\n')}`;

test.each<[string, string, readonly TextSplice[]]>([
  ['the last line changes', SHORT, [at(SHORT, 'b: 2', 'b: 3')]],
  ['the last line gets an end', SHORT, [end(SHORT, '\n')]],
  ['lines come after the last', SHORT, [end(SHORT, '\nc: 3')]],
  ['lines come after the last and end', SHORT, [end(SHORT, '\nc: 3\n')]],
  ['the last line goes', SHORT, [at(SHORT, '\nb: 2', '')]],
  ['the last line is context', SHORT, [at(SHORT, 'a: 1', 'a: 2')]],
  ['the last line is far away', LONG, [at(LONG, 'key-0: 1', 'key-0: 2')]],
  ['both ends change', LONG, [at(LONG, 'key-0: 1', 'key-0: 2'), end(LONG, '\nmore: 1')]],
  ['the file ends with a break', `${SHORT}\n`, [end(`${SHORT}\n`, 'c: 3\n')]],
  ['a file of one line', 'a: 1', [at('a: 1', '1', '2')]],
  ['a file of one line gets another', 'a: 1', [end('a: 1', '\nb: 2')]],
])('%s', (_title, text, splices) => {
  const path = join(folder, 'file.yaml');
  writeFileSync(path, text);
  const diff = unifiedDiff(new SourceFile('file.yaml', text), splices);
  execFileSync('git', ['apply', '--unidiff-zero', '-'], {
    cwd: folder,
    input: `--- a/file.yaml\n+++ b/file.yaml\n${diff}`,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  expect(readFileSync(path, 'utf8')).toBe(spliced(text, splices));
});
