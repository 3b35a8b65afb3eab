// A check whose objects are evaluated by several threads, where there is so much to evaluate that it pays: the same report as by one.
import { existsSync } from 'node:fs';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { type CheckInput, checkState } from '../pipeline/check-state.ts';
import { type RecordedAnswer, recordedEngine } from '../pipeline/recorded-engine.ts';
import { SharedState, type StatePart } from '../pipeline/shared-state.ts';
import { isWorthThreads } from '../pipeline/worthwhile-threads.ts';
import type { Report } from '../report/report.ts';
import type { RenderCacheOptions } from '../workspace/render/render-cache.ts';
import {
  type AnswersMessage,
  type EvaluationReply,
  type EvaluationStart,
  newSignals,
  SharedBlocks,
  TOLD,
} from './evaluation-message.ts';

export interface ThreadedCheck {
  /** Threads that evaluate, this one among them. */
  readonly workers: number;
  /** Top of the repository. */
  readonly root: string;
  readonly cache: RenderCacheOptions | undefined;
  /** What threads start from; absent: the bundle beside the program, and no thread where there is none. */
  readonly bundle?: URL;
  /** They take part whatever there is to evaluate. */
  readonly always?: boolean;
}

const BUNDLE = 'evaluation-worker.js';
/** Beside the bundles and one folder up from their chunks. */
const PLACES = [`./${BUNDLE}`, `../${BUNDLE}`];
/** Milliseconds between looks at whether a thread still does anything. */
const LOOK = 1000;
/** Looks without a sign of a thread after which nobody waits for it any longer. */
const SILENT_LOOKS = 60;

/** As `checkState`; asked for states of which `mayBeWorthThreads` says so. */
export async function checkOnThreads(input: CheckInput, check: ThreadedCheck): Promise<Report> {
  const { workers, always = false } = check;
  const bundle = check.bundle ?? PLACES.map((place) => new URL(place, import.meta.url)).find((url) => existsSync(url));
  // What was fetched of charts is in this thread alone.
  const canShare = workers > 1 && bundle !== undefined && input.rendering?.charts === undefined;
  if (!canShare) return checkState(input);
  const { rendering } = input;
  const recorded = rendering && recordedEngine(rendering.engine);
  const crew = Crew.start(input, check, bundle);
  if (crew === undefined) return checkState(input);
  try {
    const state = new SharedState({
      ...input,
      ...(rendering && recorded && { rendering: { ...rendering, engine: recorded.engine } }),
    });
    if (!always && !isWorthThreads(state.objects, state.policies)) {
      await crew.end();
      return state.alone();
    }
    crew.tell(recorded?.end() ?? []);
    const { blocks } = crew;
    const own = state.evaluate((work) => blocks.take(undefined, work, state.blocks, (all) => state.mayDiffer([all])));
    const replies = blocks.isStopped ? [] : await crew.replies();
    if (blocks.isStopped) return state.alone();
    const parts: StatePart[] = [own];
    for (const { part, requests } of replies) {
      // What read something else than this thread, such as files that somebody writes meanwhile, has no part in it.
      if (part.key !== state.key) continue;
      parts.push(part);
      input.stages?.count('evaluate', 'requests', requests);
    }
    const missing = state.missing(parts).values();
    parts.push(state.evaluate(() => missing.next().value));
    return state.report(parts);
  } finally {
    await crew.end();
  }
}

class Crew {
  readonly blocks: SharedBlocks;
  readonly #cells: Int32Array;
  readonly #members: readonly Member[];

  /** Undefined: the state cannot be handed to others. */
  static start(input: CheckInput, check: ThreadedCheck, bundle: URL): Crew | undefined {
    try {
      return new Crew(input, check, bundle);
    } catch (reason) {
      if (reason instanceof DOMException && reason.name === 'DataCloneError') return undefined;
      throw reason;
    }
  }

  private constructor(input: CheckInput, { workers, root, cache }: ThreadedCheck, bundle: URL) {
    const signals = newSignals(workers - 1);
    this.blocks = new SharedBlocks(signals);
    this.#cells = new Int32Array(signals.cells);
    const given = { ...startOf(input), root, cache, signals };
    this.#members = Array.from({ length: workers - 1 }, (_, index) => new Member(bundle, given, index));
  }

  tell(answers: readonly RecordedAnswer[]): void {
    for (const { port } of this.#members) port.postMessage({ answers } satisfies AnswersMessage);
    Atomics.store(this.#cells, TOLD, 1);
    Atomics.notify(this.#cells, TOLD);
  }

  /** Of those that took blocks, and did not fail. */
  async replies(): Promise<readonly EvaluationReply[]> {
    const busy = this.#members.filter(({ index }) => this.blocks.beatsOf(index) > 0);
    const replies = await Promise.all(busy.map((member) => member.reply(() => this.blocks.beatsOf(member.index))));
    return replies.filter((reply) => reply !== undefined);
  }

  async end(): Promise<void> {
    this.blocks.stop();
    await Promise.all(this.#members.map((member) => member.end()));
  }
}

class Member {
  readonly index: number;
  readonly port: MessagePort;
  readonly #worker: Worker;
  readonly #ended: Promise<EvaluationReply | undefined>;

  constructor(bundle: URL, given: Omit<EvaluationStart, 'port' | 'index'>, index: number) {
    const { port1, port2 } = new MessageChannel();
    this.index = index;
    this.port = port1;
    const start: EvaluationStart = { ...given, index, port: port2 };
    // Of the options that this process was started with none is for it, nor anything of the environment.
    this.#worker = new Worker(bundle, { workerData: start, transferList: [port2], execArgv: [], env: {} });
    // A thread that fails, whatever the reason, leaves what it took to the main one.
    this.#ended = new Promise((resolve) => {
      this.#worker.on('message', (reply: EvaluationReply | undefined) => resolve(reply));
      this.#worker.on('messageerror', () => resolve(undefined));
      this.#worker.on('error', () => resolve(undefined));
      this.#worker.on('exit', () => resolve(undefined));
    });
  }

  /** Undefined: it failed, or is silent. */
  async reply(beats: () => number): Promise<EvaluationReply | undefined> {
    let seen = beats();
    let silent = 0;
    let look: NodeJS.Timeout | undefined;
    const silence = new Promise<undefined>((resolve) => {
      look = setInterval(() => {
        silent = beats() === seen ? silent + 1 : 0;
        seen = beats();
        if (silent >= SILENT_LOOKS) resolve(undefined);
      }, LOOK);
    });
    const reply = await Promise.race([this.#ended, silence]);
    clearInterval(look);
    return reply;
  }

  async end(): Promise<void> {
    this.port.close();
    await this.#worker.terminate();
  }
}

function startOf({
  files,
  paths,
  notRead,
  configuration,
  policySources = [],
  shard,
  today,
  explainsMutations,
}: CheckInput): Pick<EvaluationStart, 'files' | 'paths' | 'notRead' | 'configuration' | 'sources' | 'more'> {
  const given = (read: CheckInput['files']): EvaluationStart['files'] =>
    read.map(({ file: { path, text }, selected }) => ({ path, text, selected }));
  return {
    files: given(files),
    paths,
    notRead,
    configuration: placeless(configuration),
    sources: policySources.map((source) => ({
      name: source.name,
      version: source.version,
      files: given(source.files),
      paths: source.paths,
      isTree: source.tree !== undefined,
    })),
    more: {
      ...(shard && { shard }),
      ...(today !== undefined && { today }),
      ...(explainsMutations !== undefined && { explainsMutations }),
    },
  };
}

/** Places are for what is said of the configuration itself, which the main thread says. */
function placeless(configuration: CheckInput['configuration']): CheckInput['configuration'] {
  return {
    ...configuration,
    globs: [],
    policySources: configuration.policySources.map(({ location: _, ...source }) => source),
    targets: configuration.targets.map(({ location: _, ...target }) => target),
  };
}
