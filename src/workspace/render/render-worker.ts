// A worker thread that renders: one engine and one tree, one request after the other.
import { parentPort, workerData } from 'node:worker_threads';
import { overlayTree } from '../../render/file-tree.ts';
import { createRenderEngine } from '../../render/render-engine.ts';
import type { WorkerAnswer, WorkerRequest, WorkerStart } from './render-pool.ts';
import { openTree } from './tree-source.ts';

const { module, limits, tree: source } = workerData as WorkerStart;
const engine = createRenderEngine({ module, limits, elapsed: () => performance.now() });
const tree = openTree(source);

parentPort?.on('message', ({ id, request, chance, overlay }: WorkerRequest) => {
  const outcome = engine.render(request, overlay === undefined ? tree : overlayTree(tree, overlay), chance);
  parentPort?.postMessage({ id, outcome } satisfies WorkerAnswer);
});
