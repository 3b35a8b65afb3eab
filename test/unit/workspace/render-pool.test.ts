// Rendering on worker threads: the same answers, a thread that will not stop is ended, and the next request finds another.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/render/render-engine.ts';
import { openRenderPool, type PoolOptions } from '../../../src/workspace/render/render-pool.ts';
import { CHANCE } from '../../support/render.ts';

const ROOT = join(import.meta.dirname, '../../..');
const TREE = {
  kind: 'content',
  content: {
    files: new Map([
      ['app/kustomization.yaml', 'resources: [settings.yaml]\n'],
      ['app/settings.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n'],
    ]),
  },
} as const;
const APP = { engine: 'kustomize', root: 'app', anyFile: true } as const;

let folder = '';
let worker: URL;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'preadmit-worker-'));
  const bundle = join(folder, 'render-worker.mjs');
  const entry = 'src/workspace/render/render-worker.ts';
  await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile: bundle,
    bundle: true,
    format: 'esm',
    platform: 'node',
  });
  worker = pathToFileURL(bundle);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function withPool<T>(
  options: Partial<PoolOptions>,
  use: (pool: ReturnType<typeof openRenderPool>) => Promise<T>,
): Promise<T> {
  const pool = openRenderPool({ tree: TREE, threads: 2, worker, ...options });
  try {
    return await use(pool);
  } finally {
    await pool.close();
  }
}

const RENDERED = { objects: [{ text: expect.stringContaining('name: settings') }], warnings: [] };

test('threads answer as this one does, each request once', async () => {
  await withPool({}, async (pool) => {
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => pool.render(APP, CHANCE)));
    expect(outcomes).toEqual(Array(5).fill(RENDERED));
  });
  await withPool({ threads: 0 }, async (pool) => expect(await pool.render(APP, CHANCE)).toEqual(RENDERED));
});

test('a request may bring files of its own', async () => {
  await withPool({ threads: 1 }, async (pool) => {
    const overlay = { files: new Map([['made/kustomization.yaml', 'resources: [../app]\nnamePrefix: blue-\n']]) };
    expect(await pool.render({ ...APP, root: 'made' }, CHANCE, overlay)).toMatchObject({
      objects: [{ text: expect.stringContaining('name: blue-settings') }],
    });
    expect(await pool.render({ ...APP, root: 'made' }, CHANCE)).toMatchObject({ failure: 'missing-file' });
  });
});

test('an engine that was stopped is replaced, a thread that cannot start is told of', async () => {
  const tree = { kind: 'folder', root: join(folder, 'absent') } as const;
  await withPool({ tree, threads: 1, limits: { ...DEFAULT_LIMITS, outputBytes: 10 } }, async (pool) => {
    const overlay = { files: new Map([...TREE.content.files]) };
    expect(await pool.render(APP, CHANCE, overlay)).toMatchObject({ failure: 'limit' });
    expect(await pool.render(APP, CHANCE, overlay)).toMatchObject({ failure: 'limit' });
  });
  await withPool({ worker: pathToFileURL(join(folder, 'absent.mjs')), threads: 1 }, async (pool) => {
    expect(await pool.render(APP, CHANCE)).toMatchObject({
      failure: 'limit',
      message: expect.stringContaining('the engine crashed'),
    });
  });
});
