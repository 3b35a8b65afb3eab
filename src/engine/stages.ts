// Names the stages of a run, for observers that measure time.

export type Stage =
  | 'discover'
  | 'read'
  | 'classify'
  | 'fetch'
  | 'render'
  | 'compile'
  | 'convert'
  | 'evaluate'
  | 'report';

export interface StageObserver {
  /** Attributes the work from now on to this stage, until the next call. A stage can be entered many times. */
  enter(stage: Stage): void;
  /** Adds to the stage's counter. */
  count(stage: Stage, what: string, number: number): void;
  /** Called after each resource. */
  progress(evaluated: number, total: number): void;
}

export const UNOBSERVED: StageObserver = { enter: () => {}, count: () => {}, progress: () => {} };
