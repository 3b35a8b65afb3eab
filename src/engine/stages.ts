// Names of the work a run is doing, told to whoever keeps the clock.

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
  /** The work from now on belongs to this stage, until another is entered; stages come and go many times. */
  enter(stage: Stage): void;
  /** What a stage counted, added to what it counted before. */
  count(stage: Stage, what: string, number: number): void;
  /** After each resource. */
  progress(evaluated: number, total: number): void;
}

export const UNOBSERVED: StageObserver = { enter: () => {}, count: () => {}, progress: () => {} };
