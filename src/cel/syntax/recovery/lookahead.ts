// Computes the tokens that can follow in a state (ANTLR's `LL1Analyzer` and `ATN.getExpectedTokens`).
import { Token } from '../token.ts';
import type { State } from './automaton.ts';
import type { Context, ContextPool } from './context.ts';
import type { Rule } from './grammar.ts';
import { END_OF_RULE, TokenSet } from './token-set.ts';
import type { TreeNode } from './tree.ts';

export class Lookahead {
  readonly #pool: ContextPool;
  /** Ignores the context of the state: the end of its rule is the end. */
  readonly #withinRule = new Map<State, TokenSet>();

  constructor(pool: ContextPool) {
    this.#pool = pool;
  }

  /** Contains `END_OF_RULE` if the rule can end in this state. */
  withinRule(state: State): TokenSet {
    let tokens = this.#withinRule.get(state);
    if (tokens === undefined) {
      tokens = this.#look(state, this.#pool.unknown);
      this.#withinRule.set(state, tokens);
    }
    return tokens;
  }

  inContext(state: State, context: Context): TokenSet {
    return this.#look(state, context);
  }

  /** Tokens that can follow in `state` of `node`, including after the end of surrounding rules. */
  expected(state: State, node: TreeNode): TokenSet {
    let following = this.withinRule(state);
    if (!following.has(END_OF_RULE)) return following;
    const expected = new TokenSet();
    expected.addAll(following);
    expected.deleteEndOfRule();
    let at: TreeNode | undefined = node;
    while (at?.follow !== undefined && following.has(END_OF_RULE)) {
      following = this.withinRule(at.follow);
      expected.addAll(following);
      expected.deleteEndOfRule();
      at = at.parent;
    }
    if (following.has(END_OF_RULE)) expected.add([Token.EOF]);
    return expected;
  }

  /** Tokens that can follow any of the open rules at `node`. */
  following(node: TreeNode): TokenSet {
    const tokens = new TokenSet();
    for (let at: TreeNode | undefined = node; at?.follow !== undefined; at = at.parent) {
      tokens.addAll(this.withinRule(at.follow));
    }
    tokens.deleteEndOfRule();
    return tokens;
  }

  #look(state: State, context: Context): TokenSet {
    const search = new Search(this.#pool);
    search.visit(state, context);
    return search.found;
  }
}

class Search {
  readonly found = new TokenSet();
  readonly #pool: ContextPool;
  readonly #seen = new Set<string>();
  /** Rules that are being visited; visiting one again would add nothing. */
  readonly #open = new Set<Rule>();

  constructor(pool: ContextPool) {
    this.#pool = pool;
  }

  visit(state: State, context: Context): void {
    const key = `${state.number}:${context.id}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    if (state.kind === 'rule-stop') {
      this.#leave(state, context);
      return;
    }
    for (const transition of state.transitions) {
      if (transition.kind === 'tokens') {
        this.found.addRange(transition.types);
      } else if (transition.kind !== 'rule') {
        this.visit(transition.target, context);
      } else if (!this.#open.has(transition.rule)) {
        this.#open.add(transition.rule);
        this.visit(transition.target, this.#pool.push(context, transition.follow));
        this.#open.delete(transition.rule);
      }
    }
  }

  #leave(state: State, context: Context): void {
    if (context === this.#pool.unknown) {
      this.found.add([END_OF_RULE]);
    } else if (context === this.#pool.empty) {
      this.found.add([Token.EOF]);
    } else {
      const wasOpen = this.#open.delete(state.rule);
      for (const { returnTo, parent } of context.frames) {
        if (returnTo !== undefined && parent !== undefined) this.visit(returnTo, parent);
      }
      if (wasOpen) this.#open.add(state.rule);
    }
  }
}
