// Bundles a benchmark like the product and runs it, so that no module loader affects the measurement.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleApart } from '../scripts/bundle-apart.ts';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = {
  bench: 'bench/bench.ts',
  'cel-engine': 'bench/cel-engine.ts',
  'command-run': 'bench/command-run.ts',
  cli: 'src/cli.ts',
};

const folder = mkdtempSync(join(tmpdir(), 'preadmit-bench-bundle-'));
try {
  await bundleApart(SOURCES, folder);
  const { status } = spawnSync(process.execPath, [join(folder, 'bench.mjs'), ...process.argv.slice(2)], {
    stdio: 'inherit',
    // The bundle is not in the project, so it cannot find folders relative to the sources.
    env: { ...process.env, PREADMIT_SHARED: process.env['PREADMIT_SHARED'] ?? join(ROOT, '../shared') },
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
