// Computes the configurations that are reachable without reading a token (ANTLR's `ParserATNSimulator.closure`, Go runtime 4.13.0).
import { Token } from '../token.ts';
import type { Transition } from './automaton.ts';
import type { AutomatonConfiguration, ConfigurationSet } from './configuration-set.ts';
import type { ContextPool } from './context.ts';
import type { Rule } from './grammar.ts';

export interface ClosureOptions {
  /** Precedence in the current left-recursive rule: operators with lower precedence are not reachable. */
  readonly precedence: number;
  /** The rule whose operator loop is being predicted. */
  readonly loopRule: Rule | undefined;
  /** Treats the end of the text as read. */
  readonly throughEnd: boolean;
}

export class Closure {
  readonly #pool: ContextPool;
  readonly #set: ConfigurationSet;
  readonly #options: ClosureOptions;
  readonly #seen = new Set<string>();
  steps = 0;

  constructor(pool: ContextPool, set: ConfigurationSet, options: ClosureOptions) {
    this.#pool = pool;
    this.#set = set;
    this.#options = options;
  }

  /**
   * `depth` counts entered rules. It becomes negative when the decision's own rule is left for an unknown caller. A
   * return to a known caller does not change it: the Go runtime does this, while Java decrements.
   */
  add(configuration: AutomatonConfiguration, depth: number, checksPrecedence: boolean): void {
    const { state, alternative, context, leftRule, filterSuppressed } = configuration;
    const flags = (leftRule ? 1 : 0) + (filterSuppressed ? 2 : 0) + (checksPrecedence ? 4 : 0);
    const key = `${state.number}.${alternative}.${context.id}.${flags}.${checksPrecedence ? Math.max(depth, -1) : 0}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.steps++;
    if (state.kind !== 'rule-stop') {
      this.#follow(configuration, depth, checksPrecedence);
      return;
    }
    for (const { returnTo, parent } of context.frames) {
      if (returnTo !== undefined && parent !== undefined) {
        this.add(
          { ...configuration, state: returnTo, context: parent, filterSuppressed: false },
          depth,
          checksPrecedence,
        );
      } else if (this.#set.fullContext) {
        this.#set.add({ ...configuration, context: this.#pool.empty });
      } else {
        this.#follow(configuration, depth, checksPrecedence);
      }
    }
  }

  #follow(configuration: AutomatonConfiguration, depth: number, checksPrecedence: boolean): void {
    const { state } = configuration;
    if (state.isReading) this.#set.add(configuration);
    for (const [index, transition] of state.transitions.entries()) {
      if (index === 0 && returnsToSameLoop(configuration)) continue;
      this.#take(transition, configuration, depth, checksPrecedence);
    }
  }

  #take(transition: Transition, from: AutomatonConfiguration, depth: number, checksPrecedence: boolean): void {
    const { target } = transition;
    switch (transition.kind) {
      case 'tokens':
        if (this.#options.throughEnd && transition.types.includes(Token.EOF)) {
          this.add({ ...from, state: target }, depth, checksPrecedence);
        }
        return;
      case 'precedence':
        if (checksPrecedence && depth === 0 && transition.precedence < this.#options.precedence) return;
        this.add({ ...from, state: target }, depth, checksPrecedence);
        return;
      case 'action':
        this.add({ ...from, state: target }, depth, false);
        return;
      case 'rule': {
        const context = this.#pool.push(from.context, transition.follow);
        this.add({ ...from, state: target, context }, depth < 0 ? depth : depth + 1, checksPrecedence);
        return;
      }
      case 'epsilon':
        if (from.state.kind === 'rule-stop') this.#leave(transition, from, depth, checksPrecedence);
        else this.add({ ...from, state: target }, depth, checksPrecedence);
    }
  }

  /** Continues at one of the possible callers of the rule. */
  #leave(
    transition: Extract<Transition, { kind: 'epsilon' }>,
    from: AutomatonConfiguration,
    depth: number,
    checksPrecedence: boolean,
  ): void {
    const { loopRule } = this.#options;
    const suppressed = loopRule !== undefined && transition.outermostReturnOf === loopRule;
    this.add(
      {
        ...from,
        state: transition.target,
        leftRule: true,
        filterSuppressed: from.filterSuppressed || suppressed,
      },
      depth - 1,
      checksPrecedence,
    );
  }
}

/**
 * True at the operator loop of a left-recursive rule that was called only from this loop: another iteration of either
 * loop is equivalent (ANTLR's `canDropLoopEntryEdgeInLeftRecursiveRule`).
 */
function returnsToSameLoop({ state, context }: AutomatonConfiguration): boolean {
  const { operatorLoopEnd } = state;
  return operatorLoopEnd !== undefined && context.frames.every((frame) => frame.returnTo === operatorLoopEnd);
}
