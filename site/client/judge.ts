// Asks the worker, one question at a time: the newest text is judged next, and a worker that does not answer is replaced.
import type { Reply } from './answer.ts';
import type { RequestState } from './request-state.ts';

/** In milliseconds; the worker's first answer takes longer, as its code is read then. */
const TIME_LIMIT = 5_000;

/** The only address that scripts may come from, as the page's policy wants it said. */
interface ScriptUrls {
  createScriptURL(address: string): string;
}

declare const trustedTypes:
  | { createPolicy(name: string, rules: { createScriptURL: (address: string) => string }): ScriptUrls }
  | undefined;

const WORKER = 'worker.js';

export class Judge {
  readonly #tell: (reply: Reply) => void;
  readonly #urls: ScriptUrls;
  #worker: Worker | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #next: RequestState | undefined;
  #id = 0;

  constructor(tell: (reply: Reply) => void) {
    this.#tell = tell;
    const rules = { createScriptURL: () => WORKER };
    this.#urls = typeof trustedTypes === 'undefined' ? rules : trustedTypes.createPolicy('preadmit-worker', rules);
  }

  ask(state: RequestState): void {
    this.#next = state;
    if (this.#timer === undefined) this.#send();
  }

  #send(): void {
    const state = this.#next;
    if (state === undefined) return;
    this.#next = undefined;
    this.#id += 1;
    this.#worker ??= this.#start();
    this.#timer = setTimeout(() => this.#stop(), TIME_LIMIT);
    this.#worker.postMessage({ id: this.#id, state });
  }

  #start(): Worker {
    const worker = new Worker(this.#urls.createScriptURL(WORKER), { type: 'module', name: 'preadmit' });
    worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
      if (data.id !== this.#id) return;
      this.#settle();
      this.#tell(data);
      this.#send();
    });
    worker.addEventListener('error', () => this.#fail('the worker could not be started'));
    return worker;
  }

  #stop(): void {
    this.#fail(`stopped: no answer within ${TIME_LIMIT / 1000} seconds. Change a text to try again.`);
  }

  #fail(mistake: string): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#settle();
    this.#tell({ id: this.#id, mistake });
    this.#send();
  }

  #settle(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
