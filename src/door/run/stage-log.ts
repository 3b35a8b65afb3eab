// Progress of a run: one line per stage with `--debug`, or a single updated line in a terminal.
import type { Stage, StageObserver } from '../../engine/stages.ts';

export interface StageLog extends StageObserver {
  /** Ends the last stage, removes the progress line and writes the debug lines. */
  end(): void;
  /** Milliseconds spent in each stage, in order of first entry. */
  readonly milliseconds: ReadonlyMap<Stage, number>;
}

export interface StageLogOptions {
  readonly debug: boolean;
  /** True only for a terminal. */
  readonly interactive: boolean;
  readonly write: (text: string) => void;
  /** Milliseconds since an arbitrary fixed moment. */
  readonly now: () => number;
}

const QUIET_MILLISECONDS = 1000;
const REFRESH_MILLISECONDS = 200;
const CLEAR_LINE = '\r\x1b[2K';

export function createStageLog({ debug, interactive, write, now }: StageLogOptions): StageLog {
  const started = now();
  const milliseconds = new Map<Stage, number>();
  const counts = new Map<Stage, Map<string, number>>();
  let current: Stage | undefined;
  let entered = started;
  let refreshed = started + QUIET_MILLISECONDS - REFRESH_MILLISECONDS;
  let shown = false;

  const leave = (): void => {
    const time = now();
    if (current !== undefined) milliseconds.set(current, (milliseconds.get(current) ?? 0) + time - entered);
    entered = time;
  };
  return {
    milliseconds,
    enter(stage) {
      leave();
      current = stage;
    },
    count(stage, what, number) {
      const ofStage = counts.get(stage) ?? new Map<string, number>();
      counts.set(stage, ofStage.set(what, (ofStage.get(what) ?? 0) + number));
    },
    progress(evaluated, total) {
      if (!interactive || debug) return;
      const time = now();
      if (time - refreshed < REFRESH_MILLISECONDS) return;
      refreshed = time;
      shown = true;
      write(`${CLEAR_LINE}evaluating ${evaluated} of ${total} resources`);
    },
    end() {
      leave();
      current = undefined;
      if (shown) write(CLEAR_LINE);
      shown = false;
      if (!debug) return;
      for (const [stage, spent] of milliseconds) {
        const numbers = [...(counts.get(stage) ?? [])].map(([what, number]) => `, ${number} ${what}`).join('');
        write(`${stage}: ${spent.toFixed(0)} ms${numbers}\n`);
      }
    },
  };
}
