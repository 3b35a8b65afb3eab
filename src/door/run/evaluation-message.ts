// What the main thread and those that evaluate beside it tell each other.
import type { PartWork, StatePart } from '../../pipeline/check/state-evaluator.ts';

/** What a thread is started with, before there is anything to evaluate. */
export interface EvaluationStart {
  readonly signals: EvaluationSignals;
  /** Which thread it is, from 0. */
  readonly index: number;
}

export interface EvaluationReply {
  readonly part: StatePart;
  readonly requests: number;
}

/** Shared by all threads: who takes which block, and what all of them together have done. */
export interface EvaluationSignals {
  /** Int32: see below. */
  readonly cells: SharedArrayBuffer;
  /** BigInt64: steps of work. */
  readonly steps: SharedArrayBuffer;
}

/** The next block. */
const NEXT = 0;
const STOPPED = 1;
const RENDERED = 2;
const FINDINGS = 3;
/** From here on, how many blocks each thread asked for. */
const FIRST_BEAT = 4;

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

  /** For a thread with a number, or the main one without. `work`: all that it has done. Undefined: no more. */
  take(thread: number | undefined, work: PartWork, blocks: number): number | undefined {
    if (thread !== undefined) {
      Atomics.add(this.#cells, FIRST_BEAT + thread, 1);
      Atomics.notify(this.#cells, FIRST_BEAT + thread);
    }
    this.#add(work);
    if (this.isStopped) return undefined;
    const next = Atomics.add(this.#cells, NEXT, 1);
    return next < blocks ? next : undefined;
  }

  /** How often a thread asked for a block; 0: it has none. */
  beatsOf(thread: number): number {
    return Atomics.load(this.#cells, FIRST_BEAT + thread);
  }

  /** Waits until a thread has asked for its first block, for so many milliseconds at most. */
  waitFor(thread: number, milliseconds: number): void {
    Atomics.wait(this.#cells, FIRST_BEAT + thread, 0, milliseconds);
  }

  /** Nobody is given a block any more. */
  stop(): void {
    Atomics.store(this.#cells, STOPPED, 1);
  }

  get isStopped(): boolean {
    return Atomics.load(this.#cells, STOPPED) === 1;
  }

  /** Of all threads, as far as they have asked for further blocks since. */
  get work(): PartWork {
    return {
      steps: Number(Atomics.load(this.#steps, 0)),
      findings: Atomics.load(this.#cells, FINDINGS),
      hasRendered: Atomics.load(this.#cells, RENDERED) === 1,
    };
  }

  #add(work: PartWork): void {
    const { steps, findings } = this.#told;
    this.#told = work;
    if (work.hasRendered) Atomics.store(this.#cells, RENDERED, 1);
    Atomics.add(this.#steps, 0, BigInt(work.steps - steps));
    Atomics.add(this.#cells, FINDINGS, work.findings - findings);
  }
}
