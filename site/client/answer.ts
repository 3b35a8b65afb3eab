// What the worker tells the page: of everything as much as anybody reads.
import type { EvaluatedObject, EvaluationVerdict, Place } from '../../src/browser.ts';

/** Texts of the page that places lie in. */
export const TEXT_NAMES = ['policies', 'object', 'oldObject', 'resources'] as const;
export type TextName = (typeof TEXT_NAMES)[number];

export interface Told {
  readonly severity: 'error' | 'warning' | 'notice';
  /** What came of it, in a word or two: `denied`, `warned about`. */
  readonly effect: string;
  readonly message: string;
  /** The rule, or the way out. */
  readonly detail: string;
  readonly text: TextName | undefined;
  readonly place: Pick<Place, 'startLine' | 'startColumn' | 'endLine' | 'endColumn'> | undefined;
}

export interface Answer {
  readonly verdict: EvaluationVerdict;
  readonly heading: string;
  readonly told: readonly Told[];
  /** How many more there are than `told` holds. */
  readonly untold: number;
  readonly objects: readonly EvaluatedObject[];
  readonly unknowns: readonly string[];
}

/** `mistake`: the arguments mean no request. `doing`: the answer comes later. */
export type Reply =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly mistake: string }
  | { readonly id: number; readonly doing: 'loading' | 'rendering' };

/** What a worker says first: its code is read. */
export const READY = { ready: true } as const;
