// Chooses the alternative of a decision with as much lookahead as necessary (ANTLR's adaptive LL(*), `ParserATNSimulator`).
import { Token } from '../token.ts';
import type { State } from './automaton.ts';
import { Closure, type ClosureOptions } from './closure.ts';
import { type AutomatonConfiguration, ConfigurationSet } from './configuration-set.ts';
import type { Context, ContextPool } from './context.ts';
import type { TokenStream } from './token-stream.ts';
import { contextOf, type TreeNode, type TreeToken } from './tree.ts';

/** No alternative fits the tokens from the start of the decision up to this one. */
export interface NoViableAlternative {
  readonly offending: TreeToken;
}

/** A set of configurations with its successors; known sets are reused. */
interface Prediction {
  readonly configurations: ConfigurationSet;
  readonly next: Map<number, Prediction | undefined>;
  /** Set if the decision is made. */
  readonly alternative: number | undefined;
  /** The alternatives cannot be separated without the actual callers. */
  readonly needsContext: boolean;
}

interface Decision {
  readonly state: State;
  readonly precedence: number;
  readonly context: Context;
  readonly fullContext: boolean;
}

export class Predictor {
  readonly #pool: ContextPool;
  readonly #starts = new Map<string, Prediction>();
  readonly #known = new Map<string, Prediction>();
  /** Number of visited configurations, as a measure of work. */
  steps = 0;

  constructor(pool: ContextPool) {
    this.#pool = pool;
  }

  /** Predicts without the callers first; if that is not decisive, again with the actual callers. */
  predict(state: State, precedence: number, tokens: TokenStream, node: TreeNode): number | NoViableAlternative {
    const decision = { state, precedence, context: this.#pool.empty, fullContext: false };
    const alternative = this.#run(decision, tokens);
    if (alternative !== undefined) return alternative;
    const inContext = { ...decision, context: contextOf(node, this.#pool), fullContext: true };
    return this.#run(inContext, tokens) ?? { offending: tokens.current };
  }

  /** Undefined: full context is required. */
  #run(decision: Decision, tokens: TokenStream): number | NoViableAlternative | undefined {
    let prediction = this.#start(decision);
    for (let count = 1; ; ) {
      const token = tokens.ahead(count);
      const next = this.#next(decision, prediction, token.type);
      if (next === undefined) return prediction.configurations.finishedAlternative ?? { offending: token };
      if (next.alternative !== undefined) return next.alternative;
      if (next.needsContext) return undefined;
      prediction = next;
      if (token.type !== Token.EOF) count++;
    }
  }

  #start(decision: Decision): Prediction {
    const { state, precedence, context, fullContext } = decision;
    const key = `${state.number}.${precedence}.${context.id}.${fullContext}`;
    const known = this.#starts.get(key);
    if (known !== undefined) return known;
    const configurations = new ConfigurationSet(this.#pool, fullContext);
    for (const [index, { target }] of state.transitions.entries()) {
      const start = { state: target, alternative: index + 1, context, leftRule: false, filterSuppressed: false };
      this.#close([start], configurations, closureOptions(decision, false), true);
    }
    const isFiltered = state.operatorLoopEnd !== undefined && !fullContext;
    const start = {
      configurations: isFiltered ? this.#filterLoopExits(configurations) : configurations,
      next: new Map(),
      alternative: undefined,
      needsContext: false,
    };
    this.#starts.set(key, start);
    return start;
  }

  /** Leaving an operator loop for the same loop further out equals another iteration, so the first alternative represents both. */
  #filterLoopExits(configurations: ConfigurationSet): ConfigurationSet {
    const entered = new Map<State, Context>();
    for (const { state, alternative, context } of configurations) if (alternative === 1) entered.set(state, context);
    const filtered = new ConfigurationSet(this.#pool, false);
    for (const configuration of configurations) {
      const { state, alternative, context, filterSuppressed } = configuration;
      const isDouble = alternative !== 1 && !filterSuppressed && entered.get(state) === context;
      if (!isDouble) filtered.add(configuration);
    }
    return filtered;
  }

  #next(decision: Decision, from: Prediction, type: number): Prediction | undefined {
    if (from.next.has(type)) return from.next.get(type);
    const configurations = this.#reach(decision, from.configurations, type);
    const next = configurations && this.#evaluate(decision, configurations);
    from.next.set(type, next);
    return next;
  }

  #evaluate(decision: Decision, configurations: ConfigurationSet): Prediction {
    const key = `${decision.state.number}.${decision.precedence}.${decision.fullContext}:${configurations.key}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const unique = configurations.uniqueAlternative;
    const prediction = {
      configurations,
      next: new Map<number, Prediction | undefined>(),
      alternative: unique ?? (decision.fullContext ? configurations.viableAlternative : undefined),
      needsContext: unique === undefined && !decision.fullContext && configurations.isInConflict,
    };
    this.#known.set(key, prediction);
    return prediction;
  }

  /** Undefined if no transition accepts the token. */
  #reach(decision: Decision, from: ConfigurationSet, type: number): ConfigurationSet | undefined {
    const atEnd = type === Token.EOF;
    const { fullContext } = from;
    const moved = new ConfigurationSet(this.#pool, fullContext);
    const stopped: AutomatonConfiguration[] = [];
    for (const configuration of from) {
      if (configuration.state.kind === 'rule-stop') {
        if (fullContext || atEnd) stopped.push(configuration);
        continue;
      }
      for (const transition of configuration.state.transitions) {
        if (transition.kind === 'tokens' && transition.types.includes(type)) {
          moved.add({ ...configuration, state: transition.target });
        }
      }
    }
    if (stopped.length === 0 && !atEnd && moved.uniqueAlternative !== undefined) return moved;
    const closed = new ConfigurationSet(this.#pool, fullContext);
    this.#close(moved, closed, closureOptions(decision, atEnd), false);
    const reached = atEnd && !closed.isAtRuleStops ? this.#onlyRuleStops(closed) : closed;
    if (!fullContext || !reached.hasRuleStop) for (const configuration of stopped) reached.add(configuration);
    return reached.size === 0 ? undefined : reached;
  }

  #onlyRuleStops(configurations: ConfigurationSet): ConfigurationSet {
    const stops = new ConfigurationSet(this.#pool, configurations.fullContext);
    for (const configuration of configurations) {
      if (configuration.state.kind === 'rule-stop') stops.add(configuration);
    }
    return stops;
  }

  #close(
    from: Iterable<AutomatonConfiguration>,
    into: ConfigurationSet,
    options: ClosureOptions,
    checksPrecedence: boolean,
  ): void {
    const closure = new Closure(this.#pool, into, options);
    for (const configuration of from) closure.add(configuration, 0, checksPrecedence);
    this.steps += closure.steps;
  }
}

function closureOptions({ state, precedence }: Decision, throughEnd: boolean): ClosureOptions {
  return { precedence, loopRule: state.operatorLoopEnd === undefined ? undefined : state.rule, throughEnd };
}
