// Programs bundled into a folder of their own as the product is bundled, with what it renders with: neither sources nor `dist` are run.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { READ_FAST, WORKER_BUILD } from './dist.ts';

const ROOT = join(import.meta.dirname, '..');
const BANNER =
  "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/** `sources` by the name of the bundle, which ends in `.mjs`; from the top of the project. */
export async function bundleApart(sources: Readonly<Record<string, string>>, folder: string): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: Object.entries(sources).map(([out, source]) => ({ in: source, out })),
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
}
