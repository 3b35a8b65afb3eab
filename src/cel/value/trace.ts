// The trace of an observed run: the value of each node, the fields that were read, and the parts that decided the result.
import type { Value } from './value.ts';

/** One evaluation of one node. Inside comprehensions a node has one event per iteration. */
export interface TraceEvent {
  readonly nodeId: number;
  readonly value: Value;
  /** Events of sub-expressions in evaluation order; skipped ones are absent. */
  readonly children: readonly TraceEvent[];
  /** Set for the step of a comprehension: key or index of the element, and the element. */
  readonly element?: { readonly key: Value; readonly value: Value };
  /** Set if a lazily evaluated variable was computed: its name and its own events. */
  readonly variable?: { readonly name: string; readonly event: TraceEvent };
}

/** A field that an evaluation read, as steps from a root variable, e.g. `object`, ['spec', 'replicas']. */
export interface Read {
  readonly root: string;
  readonly path: readonly (string | number)[];
  /** False if the field does not exist: `has()` is false, or `no such key`. */
  readonly found: boolean;
}
