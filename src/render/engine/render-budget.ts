// Processor time for all renderings of a run, shared by its threads.

/** 120 s. The largest known repository needs 26 s. */
const DEFAULT_BUDGET = 120_000;

export const BUDGET_SPENT = 'the processor time for rendering in one run is spent';

/** Cells hold tenths of a millisecond, so that many short renderings add up correctly. */
const UNITS = 10;

export class RenderBudget {
  /** In milliseconds. */
  readonly milliseconds: number;
  /** One cell with the time spent. Threads share it. */
  readonly cell: Int32Array<ArrayBufferLike>;

  constructor(milliseconds = DEFAULT_BUDGET, cell: Int32Array<ArrayBufferLike> = new Int32Array(1)) {
    this.milliseconds = milliseconds;
    this.cell = cell;
  }

  /** In milliseconds; zero or less if nothing is left. */
  get left(): number {
    return this.milliseconds - Atomics.load(this.cell, 0) / UNITS;
  }

  spend(milliseconds: number): void {
    Atomics.add(this.cell, 0, Math.ceil(milliseconds * UNITS));
  }
}
