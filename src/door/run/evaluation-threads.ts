// A check whose objects are evaluated by several threads, where there is so much to evaluate that it pays: the same report as by one.
import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { HandedState } from '../../pipeline/check/handed-state.ts';
import { SharedState } from '../../pipeline/check/shared-state.ts';
import { isWorthThreads } from '../../pipeline/check/worthwhile-threads.ts';
import { type CheckInput, checkState } from '../../pipeline/check-state.ts';
import type { Report } from '../../report/report.ts';
import { type EvaluationReply, type EvaluationStart, newSignals, SharedBlocks } from './evaluation-message.ts';

export interface ThreadedCheck {
  /** Threads that evaluate, this one among them. */
  readonly workers: number;
  /** What threads start from; absent: the bundle beside the program, and no thread where there is none. */
  readonly bundle?: URL;
  /** For tests: threads take part whatever there is to evaluate, and take their first block, of so many objects, before this one does. */
  readonly always?: { readonly block: number };
  /** Seconds without a sign of a thread after which nobody waits for it any longer. */
  readonly patience?: number;
}

/** Beside the bundles and one folder up from their chunks; of bundles apart. */
const PLACES = ['./evaluation-worker.js', '../evaluation-worker.js', './evaluation-worker.mjs'];
/** Milliseconds between looks at whether a thread still does anything. */
const LOOK = 1000;
const PATIENCE = 60;
/** Milliseconds; for tests. */
const FIRST_WAIT = 20_000;

/** As `checkState`; asked for states of which `mayBeWorthThreads` says so. Threads start while this one reads. */
export async function checkOnThreads(
  input: CheckInput,
  { workers, always, patience = PATIENCE, ...given }: ThreadedCheck,
): Promise<Report> {
  const bundle = given.bundle ?? PLACES.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(url));
  if (workers < 2 || bundle === undefined) return checkState(input);
  const signals = newSignals(workers - 1);
  const blocks = new SharedBlocks(signals);
  const crew = Array.from({ length: workers - 1 }, (_, index) => new Member(bundle, { signals, index }));
  try {
    const state = new SharedState(input, always?.block);
    const isWorth = always !== undefined || isWorthThreads(state.objects, state.policies);
    const handed = isWorth ? state.handed() : undefined;
    if (handed === undefined) return state.alone();
    for (const member of crew) {
      // What cannot be handed over, as where memory is short, this thread evaluates.
      if (!member.hand(handed)) return state.alone();
      if (always !== undefined) blocks.waitFor(member.index, FIRST_WAIT);
    }
    const own = state.evaluate((work) => {
      const next = blocks.take(undefined, work, state.blocks);
      if (state.mayDiffer([blocks.work])) blocks.stop();
      return next;
    });
    const busy = crew.filter(({ index }) => blocks.beatsOf(index) > 0);
    const replies = await Promise.all(busy.map((member) => member.reply(() => blocks.beatsOf(member.index), patience)));
    if (blocks.isStopped) return state.alone();
    const parts = [own];
    for (const reply of replies) {
      if (reply === undefined) continue;
      parts.push(reply.part);
      input.stages?.count('evaluate', 'requests', reply.requests);
    }
    return state.report(parts);
  } finally {
    blocks.stop();
    await Promise.all(crew.map((member) => member.end()));
  }
}

class Member {
  readonly index: number;
  readonly #worker: Worker;
  readonly #ended: Promise<EvaluationReply | undefined>;

  constructor(bundle: URL, start: EvaluationStart) {
    this.index = start.index;
    // Of the options that this process was started with none is for it, nor anything of the environment.
    this.#worker = new Worker(bundle, { workerData: start, execArgv: [], env: {} });
    // A thread that fails, whatever the reason, leaves what it took to the main one.
    this.#ended = new Promise((resolve) => {
      this.#worker.on('message', (reply: EvaluationReply) => resolve(reply));
      for (const event of ['messageerror', 'error', 'exit']) this.#worker.on(event, () => resolve(undefined));
    });
  }

  /** False if it cannot be given to a thread. */
  hand(state: HandedState): boolean {
    try {
      this.#worker.postMessage(state);
      return true;
    } catch {
      return false;
    }
  }

  /** `beats`: signs of it. Undefined: it failed, or is silent. */
  async reply(beats: () => number, patience: number): Promise<EvaluationReply | undefined> {
    let seen = beats();
    let silent = 0;
    let look: NodeJS.Timeout | undefined;
    const silence = new Promise<undefined>((resolve) => {
      look = setInterval(() => {
        silent = beats() === seen ? silent + 1 : 0;
        seen = beats();
        if (silent >= patience) resolve(undefined);
      }, LOOK);
    });
    const reply = await Promise.race([this.#ended, silence]);
    clearInterval(look);
    return reply;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
