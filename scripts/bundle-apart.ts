// Bundles programs like the product, with the rendering engine, into a separate folder, so that neither sources nor `dist` run.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { buildParts, WORKER_BUILD } from './dist.ts';

const ROOT = join(import.meta.dirname, '..');

/** `sources`: source paths from the top of the project, by the name of the bundle, which ends in `.mjs`. */
export async function bundleApart(sources: Readonly<Record<string, string>>, folder: string): Promise<void> {
  await buildParts({
    entryPoints: Object.entries(sources).map(([out, source]) => ({ in: source, out })),
    outdir: folder,
    chunkNames: '[name]-[hash]',
    outExtension: { '.js': '.mjs' },
  });
  await build({ ...WORKER_BUILD, outfile: join(folder, 'render-worker.cjs') });
  copyFileSync(join(ROOT, 'render/engine.wasm.br'), join(folder, 'engine.wasm.br'));
  copyFileSync(join(ROOT, 'validation/validation.wasm.br'), join(folder, 'validation.wasm.br'));
}
