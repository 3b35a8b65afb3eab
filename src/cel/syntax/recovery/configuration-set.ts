// The state of a prediction: reachable automaton states for each alternative (ANTLR's `ATNConfigSet`).
import type { State } from './automaton.ts';
import type { Context, ContextPool } from './context.ts';

export interface AutomatonConfiguration {
  readonly state: State;
  /** 1-based alternative of the decision that leads to this state. */
  readonly alternative: number;
  readonly context: Context;
  /** True if the rule of the decision has been left. */
  readonly leftRule: boolean;
  readonly filterSuppressed: boolean;
}

export class ConfigurationSet {
  /** With full context, `$` in a stack is the end of input instead of a wildcard. */
  readonly fullContext: boolean;
  readonly #pool: ContextPool;
  readonly #members = new Map<number, AutomatonConfiguration>();

  constructor(pool: ContextPool, fullContext: boolean) {
    this.#pool = pool;
    this.fullContext = fullContext;
  }

  /** Merges configurations with the same state and alternative. */
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

  /** The only alternative of the members; undefined if there are several. */
  get uniqueAlternative(): number | undefined {
    let unique: number | undefined;
    for (const { alternative } of this) {
      if (unique !== undefined && unique !== alternative) return undefined;
      unique = alternative;
    }
    return unique;
  }

  /** The first alternative that can complete the decision's rule. */
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

  /** True if more input cannot separate the alternatives unless their contexts differ (ANTLR's SLL conflict test). */
  get isInConflict(): boolean {
    if (this.isAtRuleStops) return true;
    const byState = new Map<State, Set<number>>();
    for (const { state, alternative } of this) {
      byState.set(state, (byState.get(state) ?? new Set()).add(alternative));
    }
    if ([...byState.values()].some((alternatives) => alternatives.size === 1)) return false;
    return this.#rivals().some((alternatives) => alternatives.length > 1);
  }

  /** The alternative that wins every conflict; undefined if the winners differ. */
  get viableAlternative(): number | undefined {
    const winners = new Set(
      this.#rivals().map((alternatives) => alternatives.reduce((least, each) => Math.min(least, each), Infinity)),
    );
    return winners.size === 1 ? [...winners][0] : undefined;
  }

  /** For each state and context, the alternatives that share it. */
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
