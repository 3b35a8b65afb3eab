// The committed bundles are what the sources give.
import { mkdtempSync, rmSync } from 'node:fs';
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
