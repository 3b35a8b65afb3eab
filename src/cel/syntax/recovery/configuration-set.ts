// Where a prediction stands: states of the automaton that can be reached, for each alternative (ANTLR's `ATNConfigSet`).
import type { State } from './automaton.ts';
import type { Context, ContextPool } from './context.ts';

export interface AutomatonConfiguration {
  readonly state: State;
  /** The alternative of the decision that leads here, from 1. */
  readonly alternative: number;
  readonly context: Context;
  /** The rule in which the decision is taken has been left. */
  readonly leftRule: boolean;
  readonly filterSuppressed: boolean;
}

export class ConfigurationSet {
  /** With full context, `$` in a stack is the end of input, not a wildcard. */
  readonly fullContext: boolean;
  readonly #pool: ContextPool;
  readonly #members = new Map<number, AutomatonConfiguration>();

  constructor(pool: ContextPool, fullContext: boolean) {
    this.#pool = pool;
    this.fullContext = fullContext;
  }

  /** Configurations of the same state and alternative become one. */
  add(added: AutomatonConfiguration): void {
    const key = added.state.number * 16 + added.alternative;
    const known = this.#members.get(key);
    if (known === undefined) {
      this.#members.set(key, added);
      return;
    }
    this.#members.set(key, {
      ...known,
      context: this.#pool.merge(known.context, added.context, !this.fullContext),
      leftRule: known.leftRule || added.leftRule,
      filterSuppressed: known.filterSuppressed || added.filterSuppressed,
    });
  }

  get size(): number {
    return this.#members.size;
  }

  [Symbol.iterator](): IterableIterator<AutomatonConfiguration> {
    return this.#members.values();
  }

  /** Equal for equal sets. */
  get key(): string {
    return [...this]
      .map(
        ({ state, alternative, context, leftRule, filterSuppressed }) =>
          `${state.number}.${alternative}.${context.id}${leftRule ? '^' : ''}${filterSuppressed ? '!' : ''}`,
      )
      .join();
  }

  /** The alternative all members agree on. */
  get uniqueAlternative(): number | undefined {
    let unique: number | undefined;
    for (const { alternative } of this) {
      if (unique !== undefined && unique !== alternative) return undefined;
      unique = alternative;
    }
    return unique;
  }

  /** The first alternative by which the decision's rule could be brought to its end. */
  get finishedAlternative(): number | undefined {
    let finished: number | undefined;
    for (const { state, alternative, context, leftRule } of this) {
      const atEnd = state.kind === 'rule-stop' && context.frames.at(-1)?.returnTo === undefined;
      if ((leftRule || atEnd) && (finished === undefined || alternative < finished)) finished = alternative;
    }
    return finished;
  }

  get isAtRuleStops(): boolean {
    for (const { state } of this) if (state.kind !== 'rule-stop') return false;
    return true;
  }

  get hasRuleStop(): boolean {
    for (const { state } of this) if (state.kind === 'rule-stop') return true;
    return false;
  }

  /** Whether more input cannot tell alternatives apart unless their contexts do (ANTLR's SLL conflict test). */
  get isInConflict(): boolean {
    if (this.isAtRuleStops) return true;
    const byState = new Map<State, Set<number>>();
    for (const { state, alternative } of this) {
      byState.set(state, (byState.get(state) ?? new Set()).add(alternative));
    }
    if ([...byState.values()].some((alternatives) => alternatives.size === 1)) return false;
    return this.#rivals().some((alternatives) => alternatives.length > 1);
  }

  /** The alternative that wins wherever there is a choice; undefined as long as that differs from place to place. */
  get viableAlternative(): number | undefined {
    const winners = new Set(
      this.#rivals().map((alternatives) => alternatives.reduce((least, each) => Math.min(least, each), Infinity)),
    );
    return winners.size === 1 ? [...winners][0] : undefined;
  }

  /** Alternatives that share state and context, for each state and context. */
  #rivals(): number[][] {
    const rivals = new Map<string, number[]>();
    for (const { state, context, alternative } of this) {
      const place = `${state.number}:${context.id}`;
      const alternatives = rivals.get(place);
      if (alternatives === undefined) rivals.set(place, [alternative]);
      else alternatives.push(alternative);
    }
    return [...rivals.values()];
  }
}
