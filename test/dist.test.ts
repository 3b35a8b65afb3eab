// The committed bundles match the sources.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildDist, differences } from '../scripts/dist.ts';

test('dist is current', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'preadmit-dist-'));
  try {
    await buildDist(folder);
    expect(differences(join(import.meta.dirname, '../dist'), folder), 'run `npm run dist`').toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('dist is small enough to be downloaded by every run of the action', () => {
  const dist = join(import.meta.dirname, '../dist');
  const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  // The rendering engine and the validation engine are two thirds of it. Both are compressed and read on demand.
  expect(bytes).toBeLessThan(20_000_000);
});

test('the rendering engine adds less than 9 MB to it', () => {
  const sizes = ['engine.wasm.br', 'engine-licenses.txt'].map(
    (name) => statSync(join(import.meta.dirname, '../dist', name)).size,
  );
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(9_000_000);
});

test('the bundle finds the starter policies', () => {
  const folder = mkdtempSync(join(tmpdir(), 'preadmit-init-'));
  try {
    spawnSync('git', ['init', '--quiet'], { cwd: folder });
    writeFileSync(join(folder, 'map.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n');
    const cli = join(import.meta.dirname, '../dist/cli.js');
    const { stdout } = spawnSync(process.execPath, [cli, 'init', '--with', 'pod-security', '--owner', 'a'], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(stdout).toContain('+++ policies/pod-security/baseline.yaml');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
