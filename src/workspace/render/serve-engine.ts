// Code of a rendering thread: processes orders in turn, and requests files that it was not sent.
import { readFileSync } from 'node:fs';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { listedTree } from '../../render/engine/listed-tree.ts';
import { RenderBudget } from '../../render/engine/render-budget.ts';
import { createRenderEngine } from '../../render/engine/render-engine.ts';
import { overlaid, RecordedTree } from '../../render/sources/root/recorded-tree.ts';
import type { EntryKind, FileTree } from '../../source/tree/file-tree.ts';
import { processorTime } from '../programs/processor-time.ts';
import { ANSWERED, signalCells, type WorkerOrder, type WorkerReply, type WorkerStart } from './worker-message.ts';

export function serveEngine({ module, limits, signals, budget, index }: WorkerStart, port: MessagePort): void {
  const cells = new Int32Array(signals);
  const cell = signalCells(index);
  const elapsed = (): number => {
    Atomics.add(cells, cell.beat, 1);
    return performance.now();
  };
  const shared = new RenderBudget(budget.milliseconds, budget.cell);
  const engine = createRenderEngine({ module, limits, budget: shared, elapsed, spent: threadTime });
  const trees = new Map<number, GivenTree>();
  /** Messages that arrived while the thread waited for an answer. */
  const waiting: WorkerOrder[] = [];

  const send = (reply: WorkerReply): void => {
    port.postMessage(reply);
    Atomics.add(cells, ANSWERED, 1);
    Atomics.notify(cells, ANSWERED);
  };
  const ask: AskTree = (tree, about, path) => {
    const question = [about, path] as const;
    send({ type: 'ask', tree, question });
    for (;;) {
      const sent = Atomics.load(cells, cell.sent);
      for (;;) {
        const received = receiveMessageOnPort(port) as { readonly message: WorkerOrder } | undefined;
        if (received === undefined) break;
        if (received.message.type === 'answer') return received.message.answer;
        waiting.push(received.message);
      }
      Atomics.wait(cells, cell.sent, sent);
    }
  };
  const treeOf = (tree: number): GivenTree => {
    const known = trees.get(tree) ?? new GivenTree(tree, ask);
    trees.set(tree, known);
    return known;
  };

  const follow = (message: WorkerOrder): void => {
    if (message.type === 'tree') {
      if (message.paths !== undefined) treeOf(message.tree).list(message.paths, message.kinds ?? []);
    } else if (message.type === 'content') treeOf(message.tree).give(message.path, message.bytes);
    else if (message.type === 'render') {
      const { order, request, overlay, chance } = message;
      Atomics.store(cells, cell.order, order);
      const recorded = new RecordedTree(overlaid(treeOf(message.tree).tree, overlay));
      const outcome = attempted(() => engine.render(request, recorded, chance));
      Atomics.store(cells, cell.order, 0);
      send({ type: 'rendered', order, outcome, questions: recorded.questions() });
    }
  };
  port.on('message', (message: WorkerOrder) => {
    waiting.push(message);
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) follow(next);
  });
}

type AskTree = (tree: number, about: keyof FileTree, path: string) => unknown;

/** A tree of which a part was sent in advance; answers for the rest are cached. */
class GivenTree {
  readonly #contents = new Map<string, Uint8Array | undefined>();
  /** Memory shared with other threads; copied when read. */
  readonly #given = new Map<string, Uint8Array>();
  readonly #asked = new Map<string, unknown>();
  tree: FileTree;

  constructor(id: number, ask: AskTree) {
    const asked = (about: keyof FileTree, path: string): unknown => {
      const key = `${about} ${path}`;
      if (!this.#asked.has(key)) this.#asked.set(key, ask(id, about, path));
      return this.#asked.get(key);
    };
    this.tree = {
      kind: (path) => asked('kind', path) as EntryKind | undefined,
      read: (path) => {
        if (!this.#contents.has(path)) {
          const given = this.#given.get(path)?.slice();
          this.#contents.set(path, given ?? (ask(id, 'read', path) as Uint8Array | undefined));
        }
        return this.#contents.get(path);
      },
      target: (path) => asked('target', path) as string | undefined,
      list: (path) => asked('list', path) as readonly string[],
    };
  }

  /** Sets the complete list of paths. */
  list(paths: readonly string[], kinds: readonly EntryKind[]): void {
    const kindOf = new Map(paths.map((path, index) => [path, kinds[index]]));
    this.tree = listedTree({ ...this.tree, kind: (path) => kindOf.get(path) }, new Set(paths));
  }

  give(path: string, bytes: SharedArrayBuffer): void {
    this.#given.set(path, new Uint8Array(bytes));
  }
}

function attempted<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** Processor time of this thread in milliseconds. If the system does not report it, an upper bound. */
function threadTime(): number {
  const { threadCpuUsage } = process as { threadCpuUsage?: () => { readonly user: number; readonly system: number } };
  if (threadCpuUsage !== undefined) {
    const { user, system } = threadCpuUsage.call(process);
    return (user + system) / 1000;
  }
  // Linux; in nanoseconds.
  const [nanoseconds] = attempted(() => readFileSync('/proc/thread-self/schedstat', 'latin1'))?.split(' ') ?? [];
  return nanoseconds === undefined ? Math.min(processorTime(), performance.now()) : Number(nanoseconds) / 1e6;
}
