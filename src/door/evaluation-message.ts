// What the main thread and those that evaluate beside it tell each other.
import type { MessagePort } from 'node:worker_threads';
import type { CheckInput } from '../pipeline/check-state.ts';
import type { RecordedAnswer } from '../pipeline/recorded-engine.ts';
import type { PartWork, StatePart } from '../pipeline/shared-state.ts';
import type { RenderCacheOptions } from '../workspace/render/render-cache.ts';

interface GivenFile {
  readonly path: string;
  readonly text: string;
  readonly selected: boolean;
}

/** What a thread is started with: plain data, from which it makes the input of the main thread. */
export interface EvaluationStart {
  readonly files: readonly GivenFile[];
  readonly paths: ReadonlySet<string>;
  readonly notRead: CheckInput['notRead'];
  readonly configuration: CheckInput['configuration'];
  readonly sources: readonly {
    readonly name: string;
    readonly version: string;
    readonly files: readonly GivenFile[];
    readonly paths: ReadonlySet<string>;
    /** Whether what it holds is rendered. */
    readonly isTree: boolean;
  }[];
  readonly more: Pick<CheckInput, 'shard' | 'today' | 'explainsMutations'>;
  /** Top of the repository. */
  readonly root: string;
  readonly cache: RenderCacheOptions | undefined;
  readonly signals: EvaluationSignals;
  /** Which thread it is, from 0. */
  readonly index: number;
  /** Gives the answers of the engine, once; where they are, `TOLD` is 1. */
  readonly port: MessagePort;
}

export interface AnswersMessage {
  readonly answers: readonly RecordedAnswer[];
}

export interface EvaluationReply {
  readonly part: StatePart;
  readonly requests: number;
}

/** Shared by all threads: who takes which block, and what all of them together have done. */
export interface EvaluationSignals {
  /** Int32: NEXT, STOPPED, TOLD, RENDERED, FINDINGS, and from FIRST_BEAT on, how many blocks each thread asked for. */
  readonly cells: SharedArrayBuffer;
  /** BigInt64: steps of work. */
  readonly steps: SharedArrayBuffer;
}

const NEXT = 0;
const STOPPED = 1;
export const TOLD = 2;
const RENDERED = 3;
const FINDINGS = 4;
const FIRST_BEAT = 5;

export function newSignals(threads: number): EvaluationSignals {
  return {
    cells: new SharedArrayBuffer((FIRST_BEAT + threads) * Int32Array.BYTES_PER_ELEMENT),
    steps: new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT),
  };
}

/** The blocks of a state as threads take them, one after the other. */
export class SharedBlocks {
  readonly #cells: Int32Array;
  readonly #steps: BigInt64Array;
  #told: PartWork = { steps: 0, findings: 0, hasRendered: false };

  constructor({ cells, steps }: EvaluationSignals) {
    this.#cells = new Int32Array(cells);
    this.#steps = new BigInt64Array(steps);
  }

  /**
   * For the main thread, which has no number, or a thread with one. `work`: all that it has done. `mayDiffer`: whether so much work of all
   * might come to another end than if one did it; then nobody is given any more. Undefined: no more.
   */
  take(
    thread: number | undefined,
    work: PartWork,
    blocks: number,
    mayDiffer: (all: PartWork) => boolean,
  ): number | undefined {
    if (thread !== undefined) Atomics.add(this.#cells, FIRST_BEAT + thread, 1);
    if (mayDiffer(this.#add(work))) this.stop();
    if (this.isStopped) return undefined;
    const next = Atomics.add(this.#cells, NEXT, 1);
    return next < blocks ? next : undefined;
  }

  /** How often a thread asked for a block; 0: it has none. */
  beatsOf(thread: number): number {
    return Atomics.load(this.#cells, FIRST_BEAT + thread);
  }

  stop(): void {
    Atomics.store(this.#cells, STOPPED, 1);
  }

  get isStopped(): boolean {
    return Atomics.load(this.#cells, STOPPED) === 1;
  }

  #add(work: PartWork): PartWork {
    const { steps, findings } = this.#told;
    this.#told = work;
    if (work.hasRendered) Atomics.store(this.#cells, RENDERED, 1);
    const moreSteps = BigInt(work.steps - steps);
    return {
      steps: Number(Atomics.add(this.#steps, 0, moreSteps) + moreSteps),
      findings: Atomics.add(this.#cells, FINDINGS, work.findings - findings) + work.findings - findings,
      hasRendered: Atomics.load(this.#cells, RENDERED) === 1,
    };
  }
}
