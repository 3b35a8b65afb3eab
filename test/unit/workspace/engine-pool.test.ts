// Rendering threads: they give the same results as one thread whatever they were sent in advance, and none can block a
// run.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WORKER_BUILD } from '../../../scripts/dist.ts';
import { listedTree } from '../../../src/render/engine/listed-tree.ts';
import { ENGINE_LIMITS, type RenderedAside, type RenderOrder } from '../../../src/render/engine/render-engine.ts';
import { overlaid, RecordedTree } from '../../../src/render/sources/root/recorded-tree.ts';
import type { FileTree } from '../../../src/source/tree/file-tree.ts';
import { EnginePool, type PoolOptions } from '../../../src/workspace/render/engine-pool.ts';
import { CHANCE, engine, tree } from '../../support/render.ts';

let folder: string;
let bundle: URL;
const pools: EnginePool[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'preadmit-worker-'));
  const outfile = join(folder, 'render-worker.cjs');
  await build({ ...WORKER_BUILD, outfile });
  bundle = pathToFileURL(outfile);
});

afterAll(() => {
  for (const pool of pools) pool.close();
  rmSync(folder, { recursive: true, force: true });
});

function pool(options: Partial<PoolOptions> & Pick<PoolOptions, 'workers'>): EnginePool {
  const made = new EnginePool({ bundle, worthwhile: 1, ...options });
  pools.push(made);
  return made;
}

const COLOURS = Array.from({ length: 12 }, (_, index) => `colour-${index}`);
const FILES: Readonly<Record<string, string>> = {
  'base/kustomization.yaml':
    'resources: [deployment.yaml]\nconfigMapGenerator: [{name: settings, files: [settings.txt]}]\n',
  'base/deployment.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: shop}\nspec: {replicas: 1}\n',
  'base/settings.txt': 'a=b\n',
  'broken/kustomization.yaml': 'resources: [missing.yaml]\n',
  'linked/kustomization.yaml': 'resources: [deployment.yaml]\n',
  'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'chart/values.yaml': 'colour: red\n',
  'chart/templates/deep/map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Values.colour }}"}\n',
  ...Object.fromEntries(
    COLOURS.map((colour) => [`${colour}/kustomization.yaml`, `resources: [../base]\nnamePrefix: ${colour}-\n`]),
  ),
};
const LINKS = { 'linked/deployment.yaml': '../base/deployment.yaml' };
const REPOSITORY = tree(FILES, LINKS);
const LISTED = listedTree(REPOSITORY, new Set([...Object.keys(FILES), ...Object.keys(LINKS)]));

function orders(of: FileTree): readonly RenderOrder[] {
  const roots = [...COLOURS, 'broken', 'linked', 'nowhere'];
  const kustomize = roots.map((root): RenderOrder => {
    const overlay = root === 'colour-3' ? new Map([['base/settings.txt', 'a=c\n']]) : undefined;
    const request = { engine: 'kustomize', root, anyFile: true } as const;
    return { request, tree: of, overlay, chance: CHANCE, reads: [root, 'base'] };
  });
  const request = { engine: 'helm', chart: 'chart', releaseName: 'blue', namespace: 'market' } as const;
  return [...kustomize, { request, tree: of, overlay: undefined, chance: CHANCE, reads: ['chart/Chart.yaml'] }];
}

/** The result of rendering on one thread. */
function alone({ request, tree: files, overlay, chance }: RenderOrder): RenderedAside {
  const recorded = new RecordedTree(overlaid(files, overlay));
  return { outcome: engine().render(request, recorded, chance), questions: recorded.questions() };
}

describe('rendering threads', () => {
  test.each([2, 4, 8])('give the same results and ask the same questions with %i threads as with one', (workers) => {
    const asked = orders(LISTED);
    const begun = pool({ workers }).engine.begin?.(asked) ?? [];
    expect(begun).toHaveLength(asked.length);
    // Collected in another order than they were begun.
    const given = begun.toReversed().map((wait) => wait?.());
    expect(given.toReversed()).toEqual(asked.map(alone));
  });

  test('request files that were not listed', () => {
    const asked = orders(REPOSITORY);
    const begun = pool({ workers: 2 }).engine.begin?.(asked) ?? [];
    expect(begun.map((wait) => wait?.())).toEqual(asked.map(alone));
  });

  test('distinguish two states of a repository', () => {
    const later = listedTree(tree({ ...FILES, 'base/settings.txt': 'a=d\n' }, LINKS), LISTED.paths);
    const asked = [...orders(LISTED), ...orders(later)];
    const begun = pool({ workers: 2 }).engine.begin?.(asked) ?? [];
    expect(begun.map((wait) => wait?.())).toEqual(asked.map(alone));
    expect(alone(asked[0] as RenderOrder)).not.toEqual(alone(asked[orders(LISTED).length] as RenderOrder));
  });

  test('are not started for few entry points or without their bundle', () => {
    expect(pool({ workers: 2, worthwhile: 100 }).engine.begin?.(orders(LISTED))).toEqual([]);
    const absent = pathToFileURL(join(folder, 'absent.cjs'));
    const [first] = pool({ workers: 1, bundle: absent, limits: impatient }).engine.begin?.(orders(LISTED)) ?? [];
    expect(first?.()).toBeUndefined();
  });

  test('leave unfinished orders to the caller when they are ended', () => {
    const ended = pool({ workers: 2 });
    const begun = ended.engine.begin?.(orders(LISTED)) ?? [];
    ended.close();
    expect(begun.at(-1)?.()).toBeUndefined();
  });
});

const impatient = { ...ENGINE_LIMITS, milliseconds: 300 };

test('import only the file system for processor time and the thread API', async () => {
  const { metafile } = await build({ ...WORKER_BUILD, write: false, outfile: join(folder, 'unused.cjs') });
  const imported = Object.values(metafile?.outputs ?? {}).flatMap(({ imports }) => imports.map(({ path }) => path));
  // `node:fs` reads the processor time of a thread.
  expect([...new Set(imported)].sort()).toEqual(['node:fs', 'node:worker_threads']);
});

describe('a hostile rendering in a thread', () => {
  const endless: RenderOrder = {
    request: { engine: 'helm', chart: 'shop', releaseName: 'blue', namespace: 'market' },
    tree: tree({
      'shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
      'shop/templates/a.yaml': '{{ range $i := 1000000000 }}{{ end }}',
    }),
    overlay: undefined,
    chance: CHANCE,
    reads: [],
  };

  test('is reported with the same message, and the next order is processed', () => {
    const [limited, next] =
      pool({ workers: 1, limits: { ...ENGINE_LIMITS, milliseconds: 5000 } }).engine.begin?.([
        endless,
        ...orders(LISTED),
      ]) ?? [];
    expect(limited?.()?.outcome).toMatchObject({ failure: 'limit', message: 'rendering took too long' });
    expect(next?.()?.outcome).toHaveProperty('objects');
  });

  test('uses up the budget of all threads, so that no further order is rendered', () => {
    const limited = pool({ workers: 2, budget: 500 });
    const [first] = limited.engine.begin?.([endless]) ?? [];
    expect(first?.()?.outcome).toMatchObject({ failure: 'budget' });
    const [next] = limited.engine.begin?.(orders(LISTED)) ?? [];
    expect(next?.()?.outcome).toMatchObject({ failure: 'budget' });
    const { request, tree: of, chance } = endless;
    expect(limited.engine.render(request, of, chance)).toMatchObject({ failure: 'budget' });
  });

  test('is ended if it does not read the clock, and orders that it did not begin are left to the caller', () => {
    const stuck = join(folder, 'stuck.cjs');
    // Claims to render the first order and never sends anything again.
    writeFileSync(
      stuck,
      `const { start } = require('node:worker_threads').workerData;
      Atomics.store(new Int32Array(start.signals), 3, 1);
      for (;;);`,
    );
    const bundleOfStuck = pathToFileURL(stuck);
    const [first, second] =
      pool({ workers: 1, bundle: bundleOfStuck, limits: impatient }).engine.begin?.(orders(LISTED)) ?? [];
    expect(first?.()?.outcome).toMatchObject({ failure: 'limit', message: 'rendering took too long' });
    expect(second?.()).toBeUndefined();
  });
});
