// Renders on worker threads that share one compiled engine. Without threads, or with little work, the calling thread renders.
import { existsSync } from 'node:fs';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { RenderBudget } from '../../render/engine/render-budget.ts';
import {
  type BegunRendering,
  createRenderEngine,
  ENGINE_LIMITS,
  type EngineLimits,
  type RenderEngine,
  type RenderedAside,
  type RenderOrder,
} from '../../render/engine/render-engine.ts';
import type { RenderChance, RenderRequest, TemplateRequest } from '../../render/engine/render-request.ts';
import type { EngineModule } from '../../sandbox/web-assembly.ts';
import type { FileTree } from '../../source/tree/file-tree.ts';
import { processorTime } from '../programs/processor-time.ts';
import { loadEngineModule } from './load-engine.ts';
import { SharedTrees } from './shared-trees.ts';
import { ANSWERED, signalCells, type WorkerOrder, type WorkerReply, type WorkerStart } from './worker-message.ts';

export interface PoolOptions {
  /** Maximum number of threads. */
  readonly workers: number;
  readonly limits?: EngineLimits;
  /** Code of the threads. Default: the bundle beside the program; without a bundle, no threads are started. */
  readonly bundle?: URL;
  /** Minimum number of orders for which threads are started. */
  readonly worthwhile?: number;
  /** Processor time for all orders, in milliseconds. */
  readonly budget?: number | undefined;
}

const BUNDLE = 'render-worker.cjs';
/** Beside the bundles, or one folder above their chunks. */
const PLACES = [`./${BUNDLE}`, `../${BUNDLE}`];
/** A thread takes 0.1 s to start and warm up; a small entry point takes 0.02 s to render. */
const WORTHWHILE_ORDERS = 12;
/** Orders that are sent to a thread in advance, so that it need not wait while the main thread is busy. */
const ORDERS_AHEAD = 4;
/** The default stack size of Node's threads, plus the part that Node reserves for itself. */
const STACK_MEGABYTES = (984 + 192) / 1024;
/** Interval of checks whether a thread is alive, in milliseconds. */
const LOOK = 1000;
/** A thread is ended if it has not read the clock for this multiple of a request's time limit. */
const SILENCE = 2;

interface Order {
  readonly number: number;
  readonly content: Pick<RenderOrder, 'request' | 'overlay' | 'chance' | 'reads'>;
  readonly tree: FileTree;
  state: 'queued' | 'sent' | 'done';
  aside: RenderedAside | undefined;
}

export class EnginePool {
  readonly #options: Required<Pick<PoolOptions, 'workers' | 'limits' | 'worthwhile'>>;
  readonly #bundle: URL | undefined;
  readonly #signals: SharedArrayBuffer;
  readonly #cells: Int32Array;
  readonly #budget: RenderBudget;
  readonly #trees = new SharedTrees();
  readonly #orders = new Map<number, Order>();
  readonly #queue: Order[] = [];
  #threads: Thread[] | undefined;
  #module: EngineModule | undefined;
  #own: RenderEngine | undefined;
  #count = 0;

  constructor({ workers, limits = ENGINE_LIMITS, bundle, worthwhile = WORTHWHILE_ORDERS, budget }: PoolOptions) {
    this.#budget = new RenderBudget(budget, new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)));
    this.#options = { workers, limits, worthwhile };
    this.#bundle = bundle ?? PLACES.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(url));
    this.#signals = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * signalCells(workers).sent);
    this.#cells = new Int32Array(this.#signals);
  }

  readonly engine: RenderEngine = {
    render: (request, tree, chance) => this.#render(request, tree, chance),
    begin: (orders) => this.#begin(orders),
  };

  /** Ends the threads. Orders that are not done must be rendered by the caller. */
  close(): void {
    for (const thread of this.#threads ?? []) thread.end();
    this.#threads = [];
  }

  get #compiled(): EngineModule {
    this.#module ??= loadEngineModule(this.#options.limits);
    return this.#module;
  }

  #begin(orders: readonly RenderOrder[]): readonly (BegunRendering | undefined)[] {
    if (this.#bundle === undefined) return [];
    this.#threads ??= orders.length < this.#options.worthwhile ? undefined : this.#start(this.#bundle);
    if (this.#threads === undefined || this.#threads.length === 0) return [];
    const begun = orders.map((order) => this.#add(order, order.tree));
    this.#hand();
    return begun.map((order) => () => this.#wait(order));
  }

  #add(content: Order['content'], tree: FileTree): Order {
    const order: Order = { number: ++this.#count, content, tree, state: 'queued', aside: undefined };
    this.#orders.set(order.number, order);
    this.#queue.push(order);
    return order;
  }

  /** Renders on the calling thread. */
  #render(
    request: RenderRequest | TemplateRequest,
    tree: FileTree,
    chance: RenderChance,
  ): ReturnType<RenderEngine['render']> {
    this.#own ??= createRenderEngine({
      module: this.#compiled,
      limits: this.#options.limits,
      budget: this.#budget,
      elapsed: () => performance.now(),
      spent: processorTime,
    });
    return this.#own.render(request, tree, chance);
  }

  #start(bundle: URL): Thread[] {
    const { workers, limits } = this.#options;
    const { milliseconds, cell } = this.#budget;
    const start = { module: this.#compiled, limits, signals: this.#signals, budget: { milliseconds, cell } };
    return Array.from({ length: workers }, (_, index) => new Thread(bundle, { ...start, index }));
  }

  #wait(order: Order): RenderedAside | undefined {
    while (order.state !== 'done') {
      const seen = Atomics.load(this.#cells, ANSWERED);
      this.#receive();
      if (order.state === 'queued') this.#first(order);
      this.#hand();
      if ((order.state as Order['state']) === 'done') break;
      if (this.#threads?.length === 0) return undefined;
      Atomics.wait(this.#cells, ANSWERED, seen, LOOK);
      this.#endSilent();
    }
    this.#orders.delete(order.number);
    return order.aside;
  }

  /** Orders that the caller waits for come first. */
  #first(order: Order): void {
    this.#queue.splice(this.#queue.indexOf(order), 1);
    this.#queue.unshift(order);
  }

  #hand(): void {
    for (let ahead = 1; ahead <= ORDERS_AHEAD; ahead++) {
      for (const thread of this.#threads ?? []) {
        if (thread.sent.length >= ahead) continue;
        const order = this.#queue.shift();
        if (order === undefined) return;
        order.state = 'sent';
        const { request, overlay, chance, reads } = order.content;
        const { messages, tree } = this.#trees.messagesFor(thread, order.tree, reads);
        for (const message of messages) thread.post(message);
        thread.post({ type: 'render', order: order.number, tree, request, overlay, chance });
        thread.sent.push(order);
      }
    }
  }

  #receive(): void {
    for (const thread of this.#threads ?? []) {
      for (const reply of thread.replies()) {
        if (reply.type === 'ask') {
          const [about, path] = reply.question;
          thread.post({ type: 'answer', answer: this.#trees.ofNumber(reply.tree)[about](path) });
          continue;
        }
        const { order, outcome, questions } = reply;
        this.#done(thread, this.#orders.get(order), outcome && { outcome, questions });
      }
    }
  }

  #done(thread: Thread, order: Order | undefined, aside: RenderedAside | undefined): void {
    if (order === undefined) return;
    thread.sent.splice(thread.sent.indexOf(order), 1);
    order.state = 'done';
    order.aside = aside;
  }

  /** The order that was being rendered fails with a time limit. Orders that were not begun are left to the caller. */
  #endSilent(): void {
    for (const thread of [...(this.#threads ?? [])]) {
      if (!thread.isSilent(this.#cells, performance.now(), this.#options.limits.milliseconds * SILENCE)) continue;
      const running = Atomics.load(this.#cells, signalCells(thread.index).order);
      this.#threads = this.#threads?.filter((other) => other !== thread);
      thread.end();
      for (const order of [...thread.sent]) {
        const failure = { failure: 'limit', message: 'rendering took too long', warnings: [] } as const;
        const isIt = order.number === running;
        this.#done(thread, order, isIt ? { outcome: failure, questions: [] } : undefined);
      }
    }
  }
}

class Thread {
  readonly index: number;
  readonly sent: Order[] = [];
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #cells: Int32Array;
  #beat = -1;
  #heard = performance.now();

  constructor(bundle: URL, start: WorkerStart) {
    const { port1, port2 } = new MessageChannel();
    this.index = start.index;
    this.#cells = new Int32Array(start.signals);
    this.#port = port1;
    this.#worker = new Worker(bundle, {
      workerData: { start, port: port2 },
      transferList: [port2],
      resourceLimits: { stackSizeMb: STACK_MEGABYTES },
      // Threads inherit neither options nor environment of this process.
      execArgv: [],
      env: {},
    });
    // A thread that fails becomes silent and is then ended.
    this.#worker.on('error', () => {});
    this.#worker.unref();
  }

  post(message: WorkerOrder): void {
    this.#port.postMessage(message);
    const { sent } = signalCells(this.index);
    Atomics.add(this.#cells, sent, 1);
    Atomics.notify(this.#cells, sent);
  }

  replies(): readonly WorkerReply[] {
    const replies: WorkerReply[] = [];
    for (;;) {
      const received = receiveMessageOnPort(this.#port) as { readonly message: WorkerReply } | undefined;
      if (received === undefined) return replies;
      this.#heard = performance.now();
      replies.push(received.message);
    }
  }

  isSilent(cells: Int32Array, now: number, milliseconds: number): boolean {
    const beat = Atomics.load(cells, signalCells(this.index).beat);
    if (beat !== this.#beat || this.sent.length === 0) [this.#beat, this.#heard] = [beat, now];
    return now - this.#heard > milliseconds;
  }

  end(): void {
    this.#port.close();
    void this.#worker.terminate();
  }
}
