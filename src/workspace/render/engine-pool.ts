// Threads that render beside the one that asks, with one compiled engine; where there are none, or too little to do, it renders itself.
import { existsSync } from 'node:fs';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { FileTree } from '../../render/engine/file-tree.ts';
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
import type { EngineModule } from '../../render/engine/web-assembly.ts';
import { loadEngineModule } from './load-engine.ts';
import { processorTime } from './processor-time.ts';
import { SharedTrees } from './shared-trees.ts';
import { ANSWERED, signalCells, type WorkerOrder, type WorkerReply, type WorkerStart } from './worker-message.ts';

export interface PoolOptions {
  /** Most threads. */
  readonly workers: number;
  readonly limits?: EngineLimits;
  /** What threads start from; absent: the bundle beside the program, and no thread where there is none. */
  readonly bundle?: URL;
  /** Orders below which no thread is started. */
  readonly worthwhile?: number;
}

const BUNDLE = 'render-worker.cjs';
/** Beside the bundles and one folder up from their chunks. */
const PLACES = [`./${BUNDLE}`, `../${BUNDLE}`];
/** A thread takes a tenth of a second to start and to warm up, a small root a fiftieth to render. */
const WORTHWHILE_ORDERS = 12;
/** Orders a thread has at a time, so that it need not wait for the next while the main thread does something else. */
const ORDERS_AHEAD = 4;
/** As many bytes as a thread of Node's may use of the stack by default, and what Node keeps of it for itself. */
const STACK_MEGABYTES = (984 + 192) / 1024;
/** Milliseconds between looks at whether a thread still does anything. */
const LOOK = 1000;
/** Times the processor's time that a request may take: a thread that has not even asked for the time this long is ended. */
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
  readonly #trees = new SharedTrees();
  readonly #orders = new Map<number, Order>();
  readonly #queue: Order[] = [];
  #threads: Thread[] | undefined;
  #module: EngineModule | undefined;
  #own: RenderEngine | undefined;
  #count = 0;

  constructor({ workers, limits = ENGINE_LIMITS, bundle, worthwhile = WORTHWHILE_ORDERS }: PoolOptions) {
    this.#options = { workers, limits, worthwhile };
    this.#bundle = bundle ?? PLACES.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(url));
    this.#signals = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * signalCells(workers).sent);
    this.#cells = new Int32Array(this.#signals);
  }

  readonly engine: RenderEngine = {
    render: (request, tree, chance) => this.#render(request, tree, chance),
    begin: (orders) => this.#begin(orders),
  };

  /** Ends the threads; what they have not rendered is rendered by whoever asks. */
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

  /** Where threads are, one of them renders it: the engine is warm there, and its heap is small. */
  #render(
    request: RenderRequest | TemplateRequest,
    tree: FileTree,
    chance: RenderChance,
  ): ReturnType<RenderEngine['render']> {
    this.#own ??= createRenderEngine({
      module: this.#compiled,
      limits: this.#options.limits,
      elapsed: () => performance.now(),
      spent: processorTime,
    });
    return this.#own.render(request, tree, chance);
  }

  #start(bundle: URL): Thread[] {
    const { workers, limits } = this.#options;
    const start = { module: this.#compiled, limits, signals: this.#signals };
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

  /** What is waited for comes before the rest. */
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

  /** What it was rendering took too long; what it had not begun somebody else renders. */
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
      // Of the options that this process was started with none is for it, nor anything of the environment.
      execArgv: [],
      env: {},
    });
    // A thread that fails is silent.
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
