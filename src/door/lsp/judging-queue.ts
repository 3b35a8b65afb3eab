// Judges documents one after the other in the pauses between requests and keystrokes, step by step.

/** Yields after each step: true if the next one takes long. */
type Judge = (uri: string) => Generator<boolean, void>;

interface QueueOptions {
  /** Milliseconds without a keystroke before anything is judged. */
  readonly pause: number;
  /** And before a step that takes long, at least; and as long as such a step took, at most `longestPause`: whoever types meets few of them. */
  readonly pauseBeforeLong: number;
  readonly longestPause: number;
  readonly complain: (text: string) => void;
}

export class JudgingQueue {
  readonly #judge: Judge;
  readonly #options: QueueOptions;
  /** The last one is judged next. */
  #waiting: readonly string[] = [];
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  /** When a document was added last, in milliseconds of a clock of its own. */
  #added = 0;
  /** Milliseconds that the last step took of those that take long. */
  #longStep = 0;
  #isLongNext = false;
  #steps: { readonly uri: string; readonly steps: Generator<boolean, void> } | undefined;

  constructor(judge: Judge, options: QueueOptions) {
    this.#judge = judge;
    this.#options = options;
  }

  /** True if nothing is judged, and nothing waits to be. */
  get isIdle(): boolean {
    return this.#steps === undefined && this.#waiting.length === 0;
  }

  /** Is judged first; what is being judged begins anew after it. */
  add(uri: string): void {
    const stopped = this.#steps?.uri;
    this.#stop();
    this.addBehind(stopped === undefined ? [] : [stopped]);
    this.#waiting = [...this.#waiting.filter((one) => one !== uri), uri];
    this.#added = performance.now();
    this.#wait(this.#options.pause);
  }

  /** Are judged after all others. */
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
      // Whoever was told something may have stopped it.
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
    // Messages that have come are read before it.
    else this.#immediate = setImmediate(() => this.#step());
  }
}
