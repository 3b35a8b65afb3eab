// What an observed run tells about itself: which node gave which value, which fields were read, what decided the result.
import type { Value } from './value.ts';

/** One evaluation of one node. Inside comprehensions a node has one event per iteration. */
export interface TraceEvent {
  readonly nodeId: number;
  readonly value: Value;
  /** Events of sub-expressions in the order they ran; those skipped by short-circuit are absent. */
  readonly children: readonly TraceEvent[];
  /** Set on the step of a comprehension: the key or index of the element, and the element itself. */
  readonly element?: { readonly key: Value; readonly value: Value };
  /** Set where a lazily evaluated variable ran: its name and its own events. */
  readonly variable?: { readonly name: string; readonly event: TraceEvent };
}

/** A field that an evaluation looked at, as steps from a root variable, e.g. `object`, ['spec', 'replicas']. */
export interface Read {
  readonly root: string;
  readonly path: readonly (string | number)[];
  /** False when the field was looked for and is not there: `has()` false, `no such key`. */
  readonly found: boolean;
}
