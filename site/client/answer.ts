// Messages from the worker to the page, cut to a readable size.
import type { EvaluatedObject, EvaluationVerdict, Place } from '../../src/browser.ts';

/** Editors of the page that contain locations. */
export const TEXT_NAMES = ['policies', 'object', 'oldObject', 'resources'] as const;
export type TextName = (typeof TEXT_NAMES)[number];

export interface Told {
  readonly severity: 'error' | 'warning' | 'notice';
  /** The outcome in a word or two: `denied`, `warned about`. */
  readonly effect: string;
  readonly message: string;
  /** The rule, or how to fix it. */
  readonly detail: string;
  readonly text: TextName | undefined;
  readonly place: Pick<Place, 'startLine' | 'startColumn' | 'endLine' | 'endColumn'> | undefined;
}

export interface Answer {
  readonly verdict: EvaluationVerdict;
  readonly heading: string;
  readonly told: readonly Told[];
  /** Number of further entries that `told` omits. */
  readonly untold: number;
  readonly objects: readonly EvaluatedObject[];
  readonly unknowns: readonly string[];
}

/** `mistake`: the arguments are not a valid request. `doing`: the answer comes later. */
export type Reply =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly mistake: string }
  | { readonly id: number; readonly doing: 'loading' | 'rendering' | 'loading-validation' };

/** First message of a worker: its code is loaded. */
export const READY = { ready: true } as const;
