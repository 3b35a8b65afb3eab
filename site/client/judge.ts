// Sends requests to a worker, one at a time. The newest text is next, and a worker that does not answer is replaced.
import type { READY, Reply } from './answer.ts';
import type { RequestState } from './request-state.ts';

/** Milliseconds. */
const TIME_LIMIT = 5_000;
/** Until a worker has started: two megabytes on a slow line. */
const START_LIMIT = 60_000;
/** After the worker's progress message: nine megabytes on a slow line, or one rendering. The first rendering includes compilation. */
const TIME_LIMITS = { loading: 180_000, rendering: 20_000, 'loading-validation': 180_000 } as const;

/** Script URLs allowed by the page's Trusted Types policy. */
export interface ScriptUrls {
  createScriptURL(address: string): string;
}

declare const trustedTypes:
  | { createPolicy(name: string, rules: { createScriptURL: (address: string) => string }): ScriptUrls }
  | undefined;

const WORKERS = ['worker.js', 'rendering-worker.js'] as const;

/** Call once: a policy of one name can only be created once. */
export function workerUrls(): ScriptUrls {
  const createScriptURL = (address: string): string => WORKERS.find((each) => each === address) ?? WORKERS[0];
  const rules = { createScriptURL };
  return typeof trustedTypes === 'undefined' ? rules : trustedTypes.createPolicy('preadmit-worker', rules);
}

export class Judge {
  readonly #script: (typeof WORKERS)[number];
  readonly #urls: ScriptUrls;
  readonly #tell: (reply: Reply) => void;
  #worker: Worker | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #limit = TIME_LIMIT;
  #next: RequestState | undefined;
  #isAwaited = false;
  #isReady = false;
  #id = 0;

  constructor(script: (typeof WORKERS)[number], urls: ScriptUrls, tell: (reply: Reply) => void) {
    this.#script = script;
    this.#urls = urls;
    this.#tell = (reply) => {
      if (this.#isAwaited) tell(reply);
    };
  }

  ask(state: RequestState): void {
    this.#isAwaited = true;
    this.#next = state;
    if (this.#timer === undefined) this.#send();
  }

  /** Drops pending answers. The worker still finishes its current request. */
  leave(): void {
    this.#isAwaited = false;
    this.#next = undefined;
  }

  #send(): void {
    const state = this.#next;
    if (state === undefined) return;
    this.#next = undefined;
    this.#id += 1;
    this.#worker ??= this.#start();
    this.#wait(this.#isReady ? TIME_LIMIT : START_LIMIT);
    this.#worker.postMessage({ id: this.#id, state });
  }

  #start(): Worker {
    const worker = new Worker(this.#urls.createScriptURL(this.#script), { type: 'module', name: 'preadmit' });
    worker.addEventListener('message', ({ data }: MessageEvent<Reply | typeof READY>) => {
      if ('ready' in data) {
        this.#isReady = true;
        if (this.#timer !== undefined) this.#wait(TIME_LIMIT);
        return;
      }
      if (data.id !== this.#id) return;
      if ('doing' in data) {
        this.#wait(TIME_LIMITS[data.doing]);
        this.#tell(data);
        return;
      }
      this.#settle();
      this.#tell(data);
      this.#send();
    });
    worker.addEventListener('error', () => this.#fail('the worker could not be started'));
    return worker;
  }

  #wait(limit: number): void {
    clearTimeout(this.#timer);
    this.#limit = limit;
    this.#timer = setTimeout(() => this.#stop(), limit);
  }

  #stop(): void {
    this.#fail(`stopped: no answer within ${this.#limit / 1000} seconds. Edit a text to try again.`);
  }

  #fail(mistake: string): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#isReady = false;
    this.#settle();
    this.#tell({ id: this.#id, mistake });
    this.#send();
  }

  #settle(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
