// Renders many roots of one tree on worker threads that share the compiled engine; without the bundled worker, on this thread.
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { overlayTree, type TreeContent } from '../../render/file-tree.ts';
import { createRenderEngine, DEFAULT_LIMITS, type EngineLimits } from '../../render/render-engine.ts';
import type { RenderChance, RenderOutcome, RenderRequest } from '../../render/render-request.ts';
import type { EngineModule } from '../../render/web-assembly.ts';
import { loadEngineModule } from './load-engine.ts';
import { openTree, type TreeSource } from './tree-source.ts';

export interface RenderPool {
  /** Never rejects for what the tree or request holds. `overlay` is laid over the tree for this request alone. */
  readonly render: (request: RenderRequest, chance: RenderChance, overlay?: TreeContent) => Promise<RenderOutcome>;
  /** Ends the threads; what is still under way is never answered. */
  readonly close: () => Promise<void>;
}

export interface PoolOptions {
  readonly tree: TreeSource;
  /** How many threads at most; they start as they are needed. 0: this thread. */
  readonly threads: number;
  readonly limits?: EngineLimits;
  /** The bundled worker; default: beside this program. */
  readonly worker?: URL;
}

export interface WorkerStart {
  readonly module: EngineModule;
  readonly limits: EngineLimits;
  readonly tree: TreeSource;
}

export interface WorkerRequest {
  readonly id: number;
  readonly request: RenderRequest;
  readonly chance: RenderChance;
  readonly overlay: TreeContent | undefined;
}

export interface WorkerAnswer {
  readonly id: number;
  readonly outcome: RenderOutcome;
}

/** The engine stops itself in time as a rule; a thread that does not is ended this much later. */
const GRACE_MILLISECONDS = 5_000;
const WORKER_PLACES = ['./render-worker.js', '../render-worker.js'];

/** The engine is loaded with the first request. Throws WorkspaceError then where it is not installed. */
export function openRenderPool(options: PoolOptions): RenderPool {
  const { threads, worker = bundledWorker() } = options;
  return worker === undefined || threads === 0 ? renderHere(options) : new WorkerPool(options, worker);
}

function bundledWorker(): URL | undefined {
  return WORKER_PLACES.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(url));
}

function renderHere({ tree: source, limits = DEFAULT_LIMITS }: PoolOptions): RenderPool {
  let opened: ReturnType<typeof open> | undefined;
  const open = () => ({
    engine: createRenderEngine({ module: loadEngineModule(limits), limits, elapsed: () => performance.now() }),
    tree: openTree(source),
  });
  return {
    render: async (request, chance, overlay) => {
      opened ??= open();
      const { engine, tree } = opened;
      return engine.render(request, overlay === undefined ? tree : overlayTree(tree, overlay), chance);
    },
    close: async () => {},
  };
}

interface Job {
  readonly message: WorkerRequest;
  readonly settle: (outcome: RenderOutcome) => void;
}

interface Thread {
  readonly worker: Worker;
  job: Job | undefined;
  timer: NodeJS.Timeout | undefined;
}

class WorkerPool implements RenderPool {
  readonly #start: Omit<WorkerStart, 'module'>;
  readonly #url: URL;
  readonly #maximum: number;
  readonly #threads = new Set<Thread>();
  readonly #waiting: Job[] = [];
  #module: EngineModule | undefined;
  #nextId = 0;

  constructor({ tree, threads, limits = DEFAULT_LIMITS }: PoolOptions, url: URL) {
    this.#start = { tree, limits };
    this.#url = url;
    this.#maximum = threads;
  }

  readonly render = async (
    request: RenderRequest,
    chance: RenderChance,
    overlay?: TreeContent,
  ): Promise<RenderOutcome> => {
    this.#module ??= loadEngineModule(this.#start.limits);
    return new Promise((settle) => {
      this.#waiting.push({ message: { id: this.#nextId++, request, chance, overlay }, settle });
      this.#assign();
    });
  };

  readonly close = async (): Promise<void> => {
    this.#waiting.length = 0;
    await Promise.all([...this.#threads].map((thread) => this.#end(thread)));
  };

  #assign(): void {
    while (this.#waiting.length > 0) {
      const thread = [...this.#threads].find(({ job }) => job === undefined) ?? this.#grow();
      if (thread === undefined) return;
      const job = this.#waiting.shift() as Job;
      thread.job = job;
      thread.timer = setTimeout(() => this.#fail(thread, 'rendering took too long'), this.#patience());
      thread.worker.ref();
      thread.worker.postMessage(job.message);
    }
  }

  #patience(): number {
    return this.#start.limits.milliseconds + GRACE_MILLISECONDS;
  }

  #grow(): Thread | undefined {
    if (this.#threads.size >= this.#maximum || this.#module === undefined) return undefined;
    const workerData: WorkerStart = { ...this.#start, module: this.#module };
    const thread: Thread = { worker: new Worker(this.#url, { workerData }), job: undefined, timer: undefined };
    thread.worker.unref();
    thread.worker.on('message', ({ outcome }: WorkerAnswer) => this.#settle(thread, outcome));
    thread.worker.on('error', (error) => this.#fail(thread, `the engine crashed: ${error.message}`));
    thread.worker.on('exit', () => this.#fail(thread, 'the engine ended before it answered'));
    this.#threads.add(thread);
    return thread;
  }

  #settle(thread: Thread, outcome: RenderOutcome): void {
    const { job } = thread;
    clearTimeout(thread.timer);
    thread.job = undefined;
    thread.worker.unref();
    job?.settle(outcome);
    this.#assign();
  }

  #fail(thread: Thread, message: string): void {
    if (!this.#threads.has(thread)) return;
    this.#end(thread).catch(() => {});
    this.#settle(thread, { failure: 'limit', message, warnings: [] });
  }

  async #end(thread: Thread): Promise<void> {
    this.#threads.delete(thread);
    clearTimeout(thread.timer);
    await thread.worker.terminate();
  }
}
