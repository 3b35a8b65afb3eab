// A thread that renders: the bundle that worker threads start from.
import { type MessagePort, workerData } from 'node:worker_threads';
import { serveEngine } from './serve-engine.ts';
import type { WorkerStart } from './worker-message.ts';

const { start, port } = workerData as { readonly start: WorkerStart; readonly port: MessagePort };
serveEngine(start, port);
