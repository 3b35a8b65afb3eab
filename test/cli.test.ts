// The process itself: its standard output and exit status.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { buildDist } from '../scripts/dist.ts';
import { needs } from './support/evidence.ts';
import { createWorkspace, repository } from './support/workspace.ts';

const DIST = mkdtempSync(join(tmpdir(), 'preadmit-dist-'));
const CLI = `'${process.execPath}' '${join(DIST, 'cli.js')}'`;

beforeAll(() => buildDist(DIST));
afterAll(() => rmSync(DIST, { recursive: true, force: true }));

function shell(command: string): { status: number | null; out: string; err: string } {
  const { folder, remove } = createWorkspace(repository(200));
  onTestFinished(remove);
  const { status, stdout, stderr } = spawnSync('bash', ['-c', command.replace('preadmit', CLI)], { cwd: folder });
  return { status, out: stdout.toString(), err: stderr.toString() };
}

it('keeps its exit status when the reader closes the pipe', () => {
  expect(shell('set -o pipefail; preadmit check --format json | head -n 1')).toEqual({
    status: 1,
    out: '{\n',
    err: '',
  });
});

needs('full-device').it('reports an unwritable standard output', () => {
  expect(shell('preadmit check > /dev/full')).toEqual({
    status: 2,
    out: '',
    err: 'preadmit: cannot write standard output: no space is left on the device\n',
  });
});
