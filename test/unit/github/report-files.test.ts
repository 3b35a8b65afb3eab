// Reports are written only inside the workspace, whatever links the checkout contains.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeReports } from '../../../src/github/report-files.ts';
import { cleanReport } from '../../report/rich-report.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'preadmit-reports-'));
  for (const folder of ['workspace', 'temp', 'elsewhere']) mkdirSync(join(root, folder));
  symlinkSync(join(root, 'elsewhere'), join(root, 'workspace/link'));
  symlinkSync(join(root, 'elsewhere/file'), join(root, 'workspace/file.sarif'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (path: string): Promise<string> =>
  writeReports(cleanReport, [{ format: 'sarif', path }], {
    workspace: join(root, 'workspace'),
    temporary: join(root, 'temp'),
  });

test('are written to a new folder, with the full report in the temporary folder', async () => {
  const whole = await write('out/a/b.sarif');
  expect(readFileSync(join(root, 'workspace/out/a/b.sarif'), 'utf8')).toContain('"version": "2.1.0"');
  expect(whole).toBe(join(root, 'temp/preadmit-report.json'));
  expect(JSON.parse(readFileSync(whole, 'utf8'))).toEqual(cleanReport);
});

test.each([
  ['../elsewhere/x', 'report-outside-workspace'],
  ['/etc/x', 'report-outside-workspace'],
  ['link/x', 'report-outside-workspace'],
  ['link/new/x', 'report-outside-workspace'],
  ['file.sarif', 'report-unwritable'],
])('are not written to %s', async (path, code) => {
  await expect(write(path)).rejects.toMatchObject({ code });
  expect(readdirSync(join(root, 'elsewhere'))).toEqual([]);
});
