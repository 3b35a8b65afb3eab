// Judges documents one at a time, step by step, in pauses between requests and keystrokes.

/** Yields after each step: true if the next step is slow. */
type Judge = (uri: string) => Generator<boolean, void>;

interface QueueOptions {
  /** Milliseconds without a keystroke before judging starts. */
  readonly pause: number;
  /**
   * Minimum wait before a slow step. The wait grows to the duration of the last slow step, up to `longestPause`, so that typing is rarely
   * blocked.
   */
  readonly pauseBeforeLong: number;
  readonly longestPause: number;
  readonly complain: (text: string) => void;
}

export class JudgingQueue {
  readonly #judge: Judge;
  readonly #options: QueueOptions;
  /** A stack: the last element is judged next. */
  #waiting: readonly string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  /** `performance.now()` when a document was last added. */
  #added = 0;
  /** Duration of the last slow step, in milliseconds. */
  #longStep = 0;
  #isLongNext = false;
  #steps: { readonly uri: string; readonly steps: Generator<boolean, void> } | undefined;

  constructor(judge: Judge, options: QueueOptions) {
    this.#judge = judge;
    this.#options = options;
  }

  /** True if no document is being judged or waiting. */
  get isIdle(): boolean {
    return this.#steps === undefined && this.#waiting.length === 0;
  }

  /** Judges the document first; a document in progress restarts afterwards. */
  add(uri: string): void {
    const stopped = this.#steps?.uri;
    this.#stop();
    this.addBehind(stopped === undefined ? [] : [stopped]);
    this.#waiting = [...this.#waiting.filter((one) => one !== uri), uri];
    this.#added = performance.now();
    this.#wait(this.#options.pause);
  }

  /** Judges the documents after all others. */
  addBehind(uris: readonly string[]): void {
    const added = uris.filter((uri) => uri !== this.#steps?.uri && !this.#waiting.includes(uri));
    this.#waiting = [...added, ...this.#waiting];
  }

  remove(uri: string): void {
    this.#waiting = this.#waiting.filter((one) => one !== uri);
    if (this.#steps?.uri !== uri) return;
    this.#stop();
    this.#wait(this.#options.pause);
  }

  clear(): void {
    this.#stop();
    this.#waiting = [];
  }

  #stop(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    this.#steps = undefined;
    this.#isLongNext = false;
  }

  #wait(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#step(), milliseconds);
  }

  #step(): void {
    if (this.#steps === undefined) {
      const uri = this.#waiting.at(-1);
      if (uri === undefined) return;
      this.#waiting = this.#waiting.slice(0, -1);
      this.#steps = { uri, steps: this.#judge(uri) };
    }
    const { steps } = this.#steps;
    const began = performance.now();
    const wasLong = this.#isLongNext;
    let isLong = false;
    try {
      const { done, value } = steps.next();
      // A listener may have stopped this run and started another.
      if (done === true && this.#steps?.steps === steps) this.#steps = undefined;
      isLong = value === true;
    } catch (error) {
      this.#steps = undefined;
      this.#options.complain(error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
    const now = performance.now();
    if (wasLong) this.#longStep = now - began;
    this.#isLongNext = isLong;
    const { pauseBeforeLong, longestPause } = this.#options;
    const rest = this.#added + Math.min(Math.max(pauseBeforeLong, this.#longStep), longestPause) - now;
    if (isLong && rest > 0) this.#wait(rest);
    // Handle pending messages first.
    else this.#immediate = setImmediate(() => this.#step());
  }
}
