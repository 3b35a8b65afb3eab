// The grammar as an augmented transition network, built as in ANTLR; used for prediction and lookahead.
import { type Alternative, type Element, GRAMMAR, type Rule, type RuleBody, type Sequence } from './grammar.ts';

/**
 * In error recovery, `decision` states may delete a token, and `loop-back` states skip to a token that can follow.
 * Other states do neither (ANTLR's `DefaultErrorStrategy.Sync`).
 */
export type StateKind = 'basic' | 'decision' | 'loop-back' | 'rule-stop';

export class State {
  readonly number: number;
  readonly rule: Rule;
  readonly kind: StateKind;
  readonly transitions: Transition[] = [];
  /** For the operator loop of a left-recursive rule: the end of each iteration. */
  operatorLoopEnd: State | undefined;

  constructor(number: number, rule: Rule, kind: StateKind) {
    this.number = number;
    this.rule = rule;
    this.kind = kind;
  }

  /** True if the state reads a token or is the end. */
  get isReading(): boolean {
    return this.transitions[0] === undefined || this.transitions[0].kind === 'tokens';
  }
}

export type Transition =
  | { readonly kind: 'epsilon'; readonly target: State; readonly outermostReturnOf?: Rule }
  /** An epsilon transition after which predicates are ignored. */
  | { readonly kind: 'action'; readonly target: State }
  | { readonly kind: 'precedence'; readonly target: State; readonly precedence: number }
  | { readonly kind: 'tokens'; readonly target: State; readonly types: readonly number[] }
  | { readonly kind: 'rule'; readonly target: State; readonly rule: Rule; readonly follow: State };

/** An element of the grammar with the parser states in which it starts. */
export type Step =
  | {
      readonly kind: 'token';
      readonly state: State;
      readonly types: readonly number[];
      readonly label: string | undefined;
    }
  | {
      readonly kind: 'rule';
      readonly state: State;
      readonly rule: Rule;
      readonly precedence: number;
      readonly follow: State;
      readonly label: string | undefined;
    }
  | { readonly kind: 'optional'; readonly state: State; readonly body: Branch }
  | {
      readonly kind: 'star';
      readonly state: State;
      readonly loopBack: State;
      readonly body: Branch;
      readonly adaptive: boolean;
    }
  | {
      readonly kind: 'plus';
      readonly state: State;
      readonly loopBack: State;
      readonly body: Branch;
      readonly adaptive: boolean;
    }
  | {
      readonly kind: 'choice';
      readonly state: State;
      readonly branches: readonly Branch[];
      readonly adaptive: boolean;
    };

export interface Branch {
  readonly state: State;
  readonly steps: readonly Step[];
  readonly name: string;
  /** Set for operators of a left-recursive rule. */
  readonly precedence: number | undefined;
}

export type RuleSteps =
  | { readonly kind: 'plain'; readonly steps: readonly Step[] }
  | {
      readonly kind: 'left-recursive';
      readonly operand: Branch;
      readonly loopEntry: State;
      readonly loopBack: State;
      /** Decides between several operators. */
      readonly operatorBlock: State;
      readonly operators: readonly Branch[];
    };

export class Automaton {
  readonly rules: ReadonlyMap<Rule, RuleSteps>;
  readonly #starts = new Map<Rule, State>();
  readonly #stops = new Map<Rule, State>();
  #count = 0;

  constructor() {
    for (const rule of GRAMMAR.keys()) {
      this.#starts.set(rule, this.#state(rule, 'basic'));
      this.#stops.set(rule, this.#state(rule, 'rule-stop'));
    }
    this.rules = new Map([...GRAMMAR].map(([rule, body]) => [rule, this.#build(rule, body)]));
  }

  #build(rule: Rule, body: RuleBody): RuleSteps {
    const start = this.#starts.get(rule) as State;
    const stop = this.#stops.get(rule) as State;
    if (body.kind === 'left-recursive') return this.#buildLeftRecursive(rule, body, start, stop);
    const { state, steps } = this.#sequence(rule, body.body, stop);
    start.transitions.push({ kind: 'epsilon', target: state });
    return { kind: 'plain', steps };
  }

  #buildLeftRecursive(
    rule: Rule,
    body: Extract<RuleBody, { kind: 'left-recursive' }>,
    start: State,
    stop: State,
  ): RuleSteps {
    const loopEntry = this.#state(rule, 'decision');
    const loopBack = this.#state(rule, 'loop-back');
    const operatorBlock = this.#state(rule, 'decision');
    const blockEnd = this.#state(rule, 'basic');
    const operators = body.operators.map((operator): Branch => {
      const state = this.#state(rule, 'basic');
      const branch = this.#sequence(rule, operator.body, blockEnd);
      state.transitions.push({ kind: 'precedence', target: branch.state, precedence: operator.precedence });
      operatorBlock.transitions.push({ kind: 'epsilon', target: state });
      return { state, steps: branch.steps, name: operator.name, precedence: operator.precedence };
    });
    blockEnd.transitions.push({ kind: 'epsilon', target: loopBack });
    loopBack.transitions.push({ kind: 'epsilon', target: loopEntry });
    loopEntry.transitions.push({ kind: 'epsilon', target: operatorBlock }, { kind: 'epsilon', target: stop });
    loopEntry.operatorLoopEnd = blockEnd;
    const operand = this.#branch(rule, body.operand, loopEntry);
    start.transitions.push({ kind: 'action', target: operand.state });
    return { kind: 'left-recursive', operand, loopEntry, loopBack, operatorBlock, operators };
  }

  #branch(rule: Rule, alternative: Alternative, next: State): Branch {
    return { ...this.#sequence(rule, alternative.body, next), name: alternative.name, precedence: undefined };
  }

  #sequence(rule: Rule, elements: Sequence, next: State): { state: State; steps: Step[] } {
    const steps: Step[] = [];
    let state = next;
    for (const element of elements.toReversed()) {
      const step = this.#step(rule, element, state);
      steps.unshift(step);
      state = step.state;
    }
    return { state, steps };
  }

  #step(rule: Rule, element: Element, next: State): Step {
    switch (element.kind) {
      case 'token': {
        const state = this.#state(rule, 'basic');
        state.transitions.push({ kind: 'tokens', target: next, types: element.types });
        return { kind: 'token', state, types: element.types, label: element.label };
      }
      case 'rule':
        return this.#call(rule, element.rule, element.precedence, element.label, next);
      case 'optional': {
        const state = this.#state(rule, 'decision');
        const body = this.#sequence(rule, element.body, next);
        state.transitions.push({ kind: 'epsilon', target: body.state }, { kind: 'epsilon', target: next });
        return { kind: 'optional', state, body: { ...body, name: '', precedence: undefined } };
      }
      case 'star': {
        const state = this.#state(rule, 'decision');
        const loopBack = this.#state(rule, 'loop-back');
        const body = this.#sequence(rule, element.body, loopBack);
        state.transitions.push({ kind: 'epsilon', target: body.state }, { kind: 'epsilon', target: next });
        loopBack.transitions.push({ kind: 'epsilon', target: state });
        const branch = { ...body, name: '', precedence: undefined };
        return { kind: 'star', state, loopBack, body: branch, adaptive: element.adaptive };
      }
      case 'plus': {
        const state = this.#state(rule, 'decision');
        const loopBack = this.#state(rule, 'loop-back');
        const body = this.#sequence(rule, element.body, loopBack);
        state.transitions.push({ kind: 'epsilon', target: body.state });
        loopBack.transitions.push({ kind: 'epsilon', target: state }, { kind: 'epsilon', target: next });
        const branch = { ...body, name: '', precedence: undefined };
        return { kind: 'plus', state, loopBack, body: branch, adaptive: element.adaptive };
      }
      case 'choice': {
        const state = this.#state(rule, 'decision');
        const branches = element.alternatives.map((alternative) => this.#branch(rule, alternative, next));
        for (const branch of branches) state.transitions.push({ kind: 'epsilon', target: branch.state });
        return { kind: 'choice', state, branches, adaptive: element.adaptive };
      }
    }
  }

  #call(rule: Rule, called: Rule, precedence: number, label: string | undefined, follow: State): Step {
    const state = this.#state(rule, 'basic');
    const target = this.#starts.get(called) as State;
    state.transitions.push({ kind: 'rule', target, rule: called, follow });
    const isOutermost = precedence === 0 && GRAMMAR.get(called)?.kind === 'left-recursive';
    (this.#stops.get(called) as State).transitions.push(
      isOutermost
        ? { kind: 'epsilon', target: follow, outermostReturnOf: called }
        : { kind: 'epsilon', target: follow },
    );
    return { kind: 'rule', state, rule: called, precedence, follow, label };
  }

  #state(rule: Rule, kind: StateKind): State {
    return new State(this.#count++, rule, kind);
  }
}
