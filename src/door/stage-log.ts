// What `--debug` and a waiting terminal see of a run: one line a stage, or one line that is written over.

export interface StageLog {
  observe(stage: string, counts: Readonly<Record<string, number>>): void;
  progress(evaluated: number, total: number): void;
  /** Removes the progress line. */
  end(): void;
}

export interface StageLogOptions {
  readonly debug: boolean;
  /** True only for a terminal. */
  readonly interactive: boolean;
  readonly write: (text: string) => void;
  /** Milliseconds from any fixed moment. */
  readonly now: () => number;
}

const QUIET_MILLISECONDS = 1000;
const REFRESH_MILLISECONDS = 200;
const CLEAR_LINE = '\r\x1b[2K';

export function createStageLog({ debug, interactive, write, now }: StageLogOptions): StageLog {
  const started = now();
  let stageStarted = started;
  let refreshed = started + QUIET_MILLISECONDS - REFRESH_MILLISECONDS;
  let shown = false;
  const clear = (): void => {
    if (shown) write(CLEAR_LINE);
    shown = false;
  };
  return {
    observe(stage, counts) {
      const time = now();
      if (debug) {
        clear();
        const numbers = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
        write(`${stage}: ${numbers.join(', ')} in ${(time - stageStarted).toFixed(0)} ms\n`);
      }
      stageStarted = time;
    },
    progress(evaluated, total) {
      if (!interactive || debug) return;
      const time = now();
      if (time - refreshed < REFRESH_MILLISECONDS) return;
      refreshed = time;
      shown = true;
      write(`${CLEAR_LINE}evaluating ${evaluated} of ${total} resources`);
    },
    end: clear,
  };
}
