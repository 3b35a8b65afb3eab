// Bundles a benchmark as the product is bundled and runs it, so that no loader's rewriting is timed with it.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { READ_FAST, WORKER_BUILD } from '../scripts/dist.ts';

const BANNER =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

const ROOT = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'preadmit-bench-bundle-'));
try {
  await build({
    absWorkingDir: ROOT,
    entryPoints: [
      ...['bench', 'cel-engine', 'command-run'].map((name) => ({ in: `bench/${name}.ts`, out: name })),
      { in: 'src/cli.ts', out: 'cli' },
    ],
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    outExtension: { '.js': '.mjs' },
    banner: { js: BANNER },
    ...READ_FAST,
    logLevel: 'warning',
  });
  await build({ ...WORKER_BUILD, outfile: join(folder, 'render-worker.cjs') });
  copyFileSync(join(ROOT, 'render/engine.wasm.br'), join(folder, 'engine.wasm.br'));
  const { status } = spawnSync(process.execPath, [join(folder, 'bench.mjs'), ...process.argv.slice(2)], {
    stdio: 'inherit',
    // The bundle lies elsewhere than the sources, from which what lies beside the project is found.
    env: { ...process.env, PREADMIT_SHARED: process.env['PREADMIT_SHARED'] ?? join(ROOT, '../shared') },
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
