// Stacks of rule calls as shared, merged graphs (ANTLR's `PredictionContext`).
import type { State } from './automaton.ts';

/** One continuation after a rule ends: the state after its call, and the outer context. `$` is the end of all known calls. */
interface Frame {
  readonly returnTo: State | undefined;
  readonly parent: Context | undefined;
}

/** Within one `ContextPool`, equal contexts are the same object. Frames are sorted by return state, `$` last. */
export interface Context {
  readonly id: number;
  readonly frames: readonly Frame[];
}

const BOTTOM: Frame = { returnTo: undefined, parent: undefined };

export class ContextPool {
  /** The callers are unknown: with `$` as a wildcard, this matches any stack. */
  readonly empty: Context = { id: 0, frames: [BOTTOM] };
  /** For lookahead within a rule: the continuation after its end does not matter. */
  readonly unknown: Context = { id: -1, frames: [] };
  readonly #known = new Map<string, Context>();
  readonly #merged = new Map<number, Context>();

  push(parent: Context, returnTo: State): Context {
    return this.#intern([{ returnTo, parent }]);
  }

  /** `wildcard`: `$` absorbs every other stack. */
  merge(one: Context, other: Context, wildcard: boolean): Context {
    if (one === other) return one;
    // With full contexts, ANTLR's Go runtime loses `$` in a merge; only states of the outermost rule have it.
    if (one === this.empty) return wildcard ? one : other;
    if (other === this.empty) return wildcard ? other : one;
    const low = Math.min(one.id, other.id);
    const key = (low * 0x2000000 + Math.max(one.id, other.id)) * 2 + (wildcard ? 1 : 0);
    const known = this.#merged.get(key);
    if (known !== undefined) return known;
    const merged = this.#intern(this.#mergeFrames(one.frames, other.frames, wildcard));
    this.#merged.set(key, merged);
    return merged;
  }

  #mergeFrames(one: readonly Frame[], other: readonly Frame[], wildcard: boolean): Frame[] {
    const frames: Frame[] = [];
    let left = 0;
    let right = 0;
    while (left < one.length && right < other.length) {
      const a = one[left] as Frame;
      const b = other[right] as Frame;
      const order = frameOrder(a) - frameOrder(b);
      if (order === 0 || a.returnTo === b.returnTo) {
        frames.push(
          a.parent && b.parent ? { returnTo: a.returnTo, parent: this.merge(a.parent, b.parent, wildcard) } : a,
        );
        left++;
        right++;
      } else if (order < 0) {
        frames.push(a);
        left++;
      } else {
        frames.push(b);
        right++;
      }
    }
    return [...frames, ...one.slice(left), ...other.slice(right)];
  }

  #intern(frames: readonly Frame[]): Context {
    const key = frames.map((frame) => `${frame.returnTo?.number ?? '$'}:${frame.parent?.id ?? '$'}`).join();
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const context = { id: this.#known.size + 1, frames };
    this.#known.set(key, context);
    return context;
  }
}

function frameOrder(frame: Frame): number {
  return frame.returnTo?.number ?? Number.POSITIVE_INFINITY;
}
